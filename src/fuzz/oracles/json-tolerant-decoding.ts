import { SluiceError } from '../../base/index.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { oddly } from '../pipeline/pipeline-casing.ts'
import { planOfPipeline } from '../pipeline/pipeline-plan.ts'
import type { JsonLaw } from './json-law.ts'

/**
 * The answer does not depend on the case and order of members, on `null` members, or on whether numbers are written as
 * strings.
 */
export const jsonTolerantDecoding: JsonLaw = {
  name: 'json-tolerant-decoding',
  check: async ({ body, plan, random }) => {
    const odd = oddly(body, random)
    try {
      if (fingerprintOf(planOfPipeline(odd)) === fingerprintOf(plan)) return undefined
      return `another plan for ${JSON.stringify(odd)}`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return `${error.code} for ${JSON.stringify(odd)}`
    }
  },
}
