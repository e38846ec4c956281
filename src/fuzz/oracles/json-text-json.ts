import { SluiceError, isError } from '../../base/index.ts'
import { pipelineToText } from '../../lang/json/index.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { decode, pipeline } from '../../wire/index.ts'
import { answerOf, difference } from '../answer.ts'
import { pipelineFunctions, pipelineOfPlan, planOfPipeline } from '../pipeline/pipeline-plan.ts'
import type { JsonLaw } from './json-law.ts'

/**
 * The text of a body converts back to a pipeline with an equal plan. If intermediate columns have other names, the
 * answers are equal.
 */
export const jsonTextJson: JsonLaw = {
  name: 'json-text-json',
  check: async ({ body, plan, range, subject, model }) => {
    if ('error' in model) return undefined
    const { text } = pipelineToText(decode(pipeline, body), pipelineFunctions)
    const { pipeline: again, diagnostics } = pipelineOfPlan(subject.lowered(text))
    const fault = diagnostics.find(isError)
    if (fault !== undefined) return `${text} is not a pipeline: ${fault.message}`
    const written = JSON.stringify(again)
    try {
      const back = planOfPipeline(JSON.parse(written))
      if (fingerprintOf(subject.optimized(back, { range })) === fingerprintOf(subject.optimized(plan, { range })))
        return undefined
      const found = difference(model, await answerOf(() => subject.queryPlan(back, 'columnar', { range })))
      return found === undefined ? undefined : `${text} as ${written} answers otherwise: ${found}`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return `${text} as ${written} is refused: ${error.message}`
    }
  },
}
