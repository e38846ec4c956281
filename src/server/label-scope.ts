import { SluiceError } from '../base/index.ts'
import type { Expr, LabelPredicate } from '../plan/index.ts'
import { labelPredicateOf } from './label-predicate.ts'
import type { Asker } from './services.ts'

const NOTHING: LabelPredicate = { kind: 'any', args: [] }

/** The table that a data scope is asked about when series are read. */
export const SAMPLES = 'samples'

function predicateOf(scope: Expr): LabelPredicate {
  try {
    return labelPredicateOf(scope)
  } catch (error) {
    if (error instanceof SluiceError) return NOTHING
    throw error
  }
}

/** What the caller may see of series; `undefined` is everything. A scope that labels cannot express hides everything. */
export function labelScope({ scope }: Pick<Asker, 'scope'>): LabelPredicate | undefined {
  const expr = scope?.(SAMPLES)
  return expr === undefined ? undefined : predicateOf(expr)
}
