import { hasMember, checkArgument, MAX_NS, MIN_NS } from '../../base/index.ts'
import { Instant, type Value } from '../../data/index.ts'
import type { Expr } from './index.ts'

/** A field compared with a value, as most other engines can do it. */
export interface Comparison {
  readonly field: string
  readonly op: '=' | '<' | '<=' | '>' | '>='
  /**
   * For bounds a number or an instant. For `=` often a text, whatever the query meant: a stored number equals the text
   * that is the same number.
   */
  readonly value: Value
  /** `=` of texts without regard to case, by Unicode folding. */
  readonly isFolded: boolean
}

/**
 * The comparisons that a condition is the AND of; `undefined` when it is something else. For the `grade` of a table over
 * another engine: a bound is exact for a field that holds numbers (or times) only, equality for one of numbers only, or
 * of texts only when it is not folded.
 */
export function comparisonsOf(filter: Expr): readonly Comparison[] | undefined {
  checkArgument(hasMember(filter, 'kind'), filter, 'a condition of a scan', 'comparisonsOf(request.predicate[0])')
  if (filter.kind !== 'test' || filter.arg.kind !== 'column') return undefined
  const { test } = filter
  const field = filter.arg.name
  const of = (op: Comparison['op'], value: Value, isFolded = false): Comparison => ({ field, op, value, isFolded })
  switch (test.kind) {
    case 'equals':
      // Nothing and the empty text are one value.
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
