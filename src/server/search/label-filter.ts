import { bindOrThrow } from '../../analyze/index.ts'
import type { Engine } from '../../engine/index.ts'
import type { LabelPredicate } from '../../plan/index.ts'
import { labelPredicateOf } from './label-predicate.ts'
import { readFilter } from './read-text.ts'

/** Table whose columns are the labels of samples. */
export const SAMPLES = 'samples'

/**
 * Parses a filter text over labels. `member` is its name in errors. Throws SluiceError for errors, for pipes, and for
 * tests that labels cannot express.
 */
export function labelFilter(text: string, member: string, engine: Engine): LabelPredicate {
  const plan = readFilter(text, member, { dialect: 'native', nowNs: engine.clock.nowNs(), table: SAMPLES })
  const { plan: bound } = bindOrThrow(plan, {
    catalog: engine.catalog,
    functions: engine.functions,
    dialect: 'native',
    table: SAMPLES,
  })
  return bound.kind === 'filter' ? labelPredicateOf(bound.predicate) : { kind: 'all', args: [] }
}
