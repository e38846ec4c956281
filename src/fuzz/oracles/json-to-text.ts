import { SluiceError } from '../../base/index.ts'
import { pipelineToText } from '../../lang/json/index.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { decode, pipeline } from '../../wire/index.ts'
import { answerOf, difference } from '../answer.ts'
import { pipelineFunctions } from '../pipeline/pipeline-plan.ts'
import type { JsonLaw } from './json-law.ts'

/**
 * Every body converts to a text with the same meaning: the bound and optimized plans are equal. If intermediate columns
 * have other names, the answers are equal.
 */
export const jsonToText: JsonLaw = {
  name: 'json-to-text',
  check: async ({ body, plan, range, subject, model }) => {
    const { text, diagnostics } = pipelineToText(decode(pipeline, body), pipelineFunctions)
    const [fault] = diagnostics
    if (fault !== undefined) return `no text: ${fault.message}`
    if ('error' in model) return undefined
    try {
      const ofText = subject.lowered(text)
      if (fingerprintOf(subject.optimized(ofText, { range })) === fingerprintOf(subject.optimized(plan, { range })))
        return undefined
      const found = difference(model, await answerOf(() => subject.queryPlan(ofText, 'columnar', { range })))
      return found === undefined ? undefined : `${text} answers otherwise: ${found}`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return `${text} is refused: ${error.message}`
    }
  },
}
