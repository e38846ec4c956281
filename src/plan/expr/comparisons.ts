import { hasMember, checkArgument, MAX_NS, MIN_NS } from '../../base/index.ts'
import { Instant, type Value } from '../../data/index.ts'
import type { Expr } from './index.ts'

/** A comparison of a field with a value, as most other engines can do it. */
export interface Comparison {
  readonly field: string
  readonly op: '=' | '<' | '<=' | '>' | '>='
  /**
   * For bounds a number or an instant. For `=` often a string, whatever the query meant: a stored number equals the
   * string of the same number.
   */
  readonly value: Value
  /** True for `=` of strings ignoring case, by Unicode folding. */
  readonly isFolded: boolean
}

/**
 * Splits a condition into an AND of comparisons; `undefined` if it is something else. For the `grade` of a table over
 * another engine: a bound is exact for a field of only numbers (or times), equality for a field of only numbers, or of
 * only strings if it is not folded.
 */
export function comparisonsOf(filter: Expr): readonly Comparison[] | undefined {
  checkArgument(hasMember(filter, 'kind'), filter, 'a condition of a scan', 'comparisonsOf(request.predicate[0])')
  if (filter.kind !== 'test' || filter.arg.kind !== 'column') return undefined
  const { test } = filter
  const field = filter.arg.name
  const of = (op: Comparison['op'], value: Value, isFolded = false): Comparison => ({ field, op, value, isFolded })
  switch (test.kind) {
    case 'equals':
      // Missing and the empty string are one value.
      return test.value === null || test.value === '' ? undefined : [of('=', test.value, test.isFolded)]
    case 'range': {
      const { min, max, isMinIncluded, isMaxIncluded } = test
      return [
        ...(min === -Infinity ? [] : [of(isMinIncluded ? '>=' : '>', min)]),
        ...(max === Infinity ? [] : [of(isMaxIncluded ? '<=' : '<', max)]),
      ]
    }
    case 'time-range': {
      const { startNs, endNs } = test.range
      return [
        ...(startNs === MIN_NS ? [] : [of('>=', new Instant(startNs))]),
        ...(endNs === MAX_NS ? [] : [of('<', new Instant(endNs))]),
      ]
    }
    default:
      return undefined
  }
}
