import { SluiceError, defineDiagnostics, nowhere } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import type { PromqlResult } from '../../engine/metrics/index.ts'
import type { RuleResult } from './queries.ts'

const resultDiagnostic = defineDiagnostics('rules', {
  'not-a-vector': ({ type }: { type: string }) => ({
    message: `The result of a rule must be a vector or a scalar, not a ${type}.`,
  }),
})

/** Returns the samples of the answer of an instant query. Throws SluiceError for a range vector and for a string. */
export function ruleResult({ answer }: Pick<PromqlResult, 'answer'>): RuleResult {
  if (answer.type === 'vector') return answer.samples
  if (answer.type === 'scalar') return [{ labels: Labels.empty, value: answer.value }]
  const type = answer.type === 'matrix' ? 'range vector' : answer.type
  throw new SluiceError([resultDiagnostic('not-a-vector', { type }, nowhere)])
}
