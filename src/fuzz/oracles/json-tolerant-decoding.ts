import { SluiceError } from '../../base/index.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { oddly } from '../pipeline/pipeline-casing.ts'
import { planOfPipeline } from '../pipeline/pipeline-plan.ts'
import type { JsonLaw } from './json-law.ts'

/** The case and order of members, `null` for members that are not given, and numbers as texts change nothing. */
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
