import { SluiceError, isError } from '../../base/index.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { answerOf, difference } from '../answer.ts'
import { pipelineOfPlan, planOfPipeline } from '../pipeline/pipeline-plan.ts'
import type { Oracle } from './oracle.ts'

/**
 * If a text converts to a pipeline, both have equal plans. If intermediate columns have other names, the answers are
 * equal.
 */
export const textJson: Oracle = {
  name: 'text-json',
  check: async ({ text, subject, model }) => {
    // Bodies are native, so texts in the other dialect have no body.
    if ('error' in model || subject.setting.dialect !== 'native') return undefined
    const plan = subject.lowered(text)
    const { pipeline, diagnostics } = pipelineOfPlan(plan)
    if (diagnostics.some(isError)) return undefined
    const written = JSON.stringify(pipeline)
    try {
      const back = planOfPipeline(JSON.parse(written))
      if (fingerprintOf(subject.optimized(back)) === fingerprintOf(subject.optimized(plan))) return undefined
      const found = difference(model, await answerOf(() => subject.queryPlan(back, 'columnar')))
      return found === undefined ? undefined : `as ${written} it answers otherwise: ${found}`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return `as ${written} it is refused: ${error.message}`
    }
  },
}
