import { mayBeNumber, wordNeeds, type ValueTest } from '../data/index.ts'
import { conjunction, type Expr } from '../plan/index.ts'

const MAY_BE_TIME: ValueTest = { kind: 'regexp', pattern: '^[0-9]{4}-', isFolded: false }

/** Returns tests that a test implies: every value that passes `test` passes all of them too. */
export function impliedTests(test: ValueTest): readonly ValueTest[] {
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
 * Returns a condition that `expr` implies and that `canTest` accepts; `undefined` if there is none. The caller must
 * still test `expr` on the rows that satisfy the condition.
 */
export function prefilterOf(expr: Expr, canTest: (known: Expr) => boolean): Expr | undefined {
  if (canTest(expr)) return expr
  switch (expr.kind) {
    case 'and': {
      const weakened = expr.args.flatMap((arg) => prefilterOf(arg, canTest) ?? [])
      return weakened.length === 0 ? undefined : conjunction(weakened, expr.origin)
    }
    case 'or': {
      const weakened = expr.args.map((arg) => prefilterOf(arg, canTest))
      const known = weakened.filter((each) => each !== undefined)
      return known.length === weakened.length ? { ...expr, args: known } : undefined
    }
    case 'test': {
      const parts = impliedTests(expr.test)
        .map((test): Expr => ({ ...expr, test }))
        .filter(canTest)
      // The first test is stricter than the second, so the first is enough.
      if (expr.test.kind === 'range') return parts[0]
      return parts.length === 0 ? undefined : conjunction(parts, expr.origin)
    }
    default:
      return undefined
  }
}
