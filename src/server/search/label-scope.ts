import { SluiceError } from '../../base/index.ts'
import type { PromqlResult } from '../../engine/metrics/index.ts'
import type { Expr, LabelPredicate } from '../../plan/index.ts'
import { SAMPLES } from './label-filter.ts'
import { labelPredicateOf } from './label-predicate.ts'
import type { Caller } from '../auth/caller.ts'

const UNSAYABLE =
  'Part of what your policies say of metrics cannot be decided by labels. What only that part would show stays hidden.'

interface Narrowed {
  readonly predicate: LabelPredicate
  /** True if labels can express the whole scope. */
  readonly isWhole: boolean
}

/**
 * Returns the part of a scope that labels can express. Parts that labels cannot express allow nothing. Under `and` and
 * `or` this only restricts further, and one policy does not affect another. Under `not`, labels must express
 * everything.
 */
function narrowed(scope: Expr): Narrowed {
  if (scope.kind === 'and' || scope.kind === 'or') {
    const narrowedArgs = scope.args.map(narrowed)
    const args = narrowedArgs.map(({ predicate }) => predicate)
    const isWhole = narrowedArgs.every((each) => each.isWhole)
    return { predicate: { kind: scope.kind === 'and' ? 'all' : 'any', args }, isWhole }
  }
  try {
    return { predicate: labelPredicateOf(scope), isWhole: true }
  } catch (error) {
    if (error instanceof SluiceError) return { predicate: { kind: 'any', args: [] }, isWhole: false }
    throw error
  }
}

/** Returns the part of a scope that labels can express. Parts that labels cannot express allow nothing. */
export function narrowedScope(scope: Expr): LabelPredicate {
  return narrowed(scope).predicate
}

/** Series that the caller may see; `undefined` allows everything. */
export function labelScope({ scope }: Pick<Caller, 'scope'>): LabelPredicate | undefined {
  const expr = scope?.(SAMPLES)
  return expr === undefined ? undefined : narrowedScope(expr)
}

/**
 * Adds a warning if labels cannot express the caller's policies, so that more series are hidden. The warning depends
 * only on the policies, never on data.
 */
export function withScopeWarning(result: PromqlResult, { scope }: Pick<Caller, 'scope'>): PromqlResult {
  const expr = scope?.(SAMPLES)
  if (expr === undefined || narrowed(expr).isWhole) return result
  return { ...result, warnings: [...result.warnings, UNSAYABLE] }
}
