import { SluiceError } from '../../base/index.ts'
import type { PromqlResult } from '../../engine/metrics/index.ts'
import type { Expr, LabelPredicate } from '../../plan/index.ts'
import { labelPredicateOf } from './label-predicate.ts'
import type { Caller } from '../auth/caller.ts'

/** The table that a data scope is asked about when series are read. */
export const SAMPLES = 'samples'

const UNSAYABLE =
  'Part of what your policies say of metrics cannot be decided by labels. What only that part would show stays hidden.'

interface Narrowed {
  readonly predicate: LabelPredicate
  /** Whether labels can say all of it. */
  readonly isWhole: boolean
}

/**
 * What of a scope labels can say. A part that they cannot lets nothing through: under `and` and `or` that only narrows,
 * so that one policy which labels cannot express takes nothing from another one. Below a `not` all must be sayable.
 */
function narrowed(scope: Expr): Narrowed {
  if (scope.kind === 'and' || scope.kind === 'or') {
    const parts = scope.args.map(narrowed)
    const args = parts.map(({ predicate }) => predicate)
    const isWhole = parts.every((part) => part.isWhole)
    return { predicate: { kind: scope.kind === 'and' ? 'all' : 'any', args }, isWhole }
  }
  try {
    return { predicate: labelPredicateOf(scope), isWhole: true }
  } catch (error) {
    if (error instanceof SluiceError) return { predicate: { kind: 'any', args: [] }, isWhole: false }
    throw error
  }
}

/** What the caller may see of series; `undefined` is everything. */
export function labelScope({ scope }: Pick<Caller, 'scope'>): LabelPredicate | undefined {
  const expr = scope?.(SAMPLES)
  return expr === undefined ? undefined : narrowed(expr).predicate
}

/** Tells the caller when more is hidden than the policies say. It speaks of the policies alone, never of data. */
export function withScopeWarning(result: PromqlResult, { scope }: Pick<Caller, 'scope'>): PromqlResult {
  const expr = scope?.(SAMPLES)
  if (expr === undefined || narrowed(expr).isWhole) return result
  return { ...result, warnings: [...result.warnings, UNSAYABLE] }
}
