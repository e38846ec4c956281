import { hasMember, checkArgument, MAX_NS, MIN_NS } from '../../base/index.ts'
import { Instant, type Value } from '../../data/index.ts'
import type { Expr } from './index.ts'

/** A comparison of a field with a value, in a form that most other engines support. */
export interface Comparison {
  readonly field: string
  readonly op: '=' | '<' | '<=' | '>' | '>='
  /**
   * A number or an instant if `op` is a bound. For `=` the value is often a string, even if the query has a number: a
   * stored number equals a string with the same number.
   */
  readonly value: Value
  /** True if `=` compares strings ignoring case, by Unicode case folding. */
  readonly isFolded: boolean
}

/**
 * Splits a condition into comparisons joined by AND; `undefined` if it has another form. A table of another engine can
 * grade them so: a bound is exact on a field of only numbers (or only times); equality is exact on a field of only
 * numbers, and, unless `isFolded`, on a field of only strings.
 */
export function comparisonsOf(filter: Expr): readonly Comparison[] | undefined {
  checkArgument(hasMember(filter, 'kind'), filter, 'a condition of a scan', 'comparisonsOf(request.predicate[0])')
  if (filter.kind !== 'test' || filter.arg.kind !== 'column') return undefined
  const { test } = filter
  const field = filter.arg.name
  const of = (op: Comparison['op'], value: Value, isFolded = false): Comparison => ({ field, op, value, isFolded })
  switch (test.kind) {
    case 'equals':
      // A missing value and the empty string are equal in Sluice; most engines cannot test this with `=`.
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
