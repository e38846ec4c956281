import { mayBeNumber, wordNeeds, type ValueTest } from '../data/index.ts'
import { conjunction, type Expr } from '../plan/index.ts'

const MAY_BE_TIME: ValueTest = { kind: 'regexp', pattern: '^[0-9]{4}-', isFolded: false }

/** Tests that pass whatever this one passes, each for itself. */
export function weakerTests(test: ValueTest): readonly ValueTest[] {
  switch (test.kind) {
    case 'range':
      return [{ ...test, isLoose: true }, mayBeNumber]
    case 'time-range':
      return [MAY_BE_TIME]
    default:
      return wordNeeds(test).map(({ word }) => ({ kind: 'contains', text: word, isFolded: true }))
  }
}

/**
 * A condition that is true wherever `expr` is and that can be tested where `expr` cannot; `undefined` when there is none
 * but `true`. Rows that it lets through are tested by `expr` itself elsewhere.
 */
export function prefilterOf(expr: Expr, canTest: (part: Expr) => boolean): Expr | undefined {
  if (canTest(expr)) return expr
  switch (expr.kind) {
    case 'and': {
      const parts = expr.args.flatMap((arg) => prefilterOf(arg, canTest) ?? [])
      return parts.length === 0 ? undefined : conjunction(parts, expr.origin)
    }
    case 'or': {
      const parts = expr.args.map((arg) => prefilterOf(arg, canTest))
      const known = parts.filter((part) => part !== undefined)
      return known.length === parts.length ? { ...expr, args: known } : undefined
    }
    case 'test': {
      const parts = weakerTests(expr.test)
        .map((test): Expr => ({ ...expr, test }))
        .filter(canTest)
      // What is said of numbers too says all that the other does.
      if (expr.test.kind === 'range') return parts[0]
      return parts.length === 0 ? undefined : conjunction(parts, expr.origin)
    }
    default:
      return undefined
  }
}
