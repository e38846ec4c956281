import { Labels } from '../../data/index.ts'
import type { PromqlResult } from '../../engine/metrics/index.ts'
import { ruleFailure } from './diagnostics.ts'
import type { RuleResult } from './queries.ts'

/** Returns the samples of an instant query result. Throws SluiceError for a range vector or a string. */
export function ruleResult({ answer }: Pick<PromqlResult, 'answer'>): RuleResult {
  if (answer.type === 'vector') return answer.samples
  if (answer.type === 'scalar') return [{ labels: Labels.empty, value: answer.value }]
  const type = answer.type === 'matrix' ? 'range vector' : answer.type
  throw ruleFailure('not-a-vector', { type })
}
