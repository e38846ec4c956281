import { answerOf, difference, isSampleRefused } from '../answer.ts'
import type { JsonLaw } from './json-law.ts'

/** Every backend gives for the optimized plan the answer of the row model for the unoptimized plan. */
export const jsonSameOnEveryBackend: JsonLaw = {
  name: 'json-same-on-every-backend',
  check: async ({ plan, range, subject, model }) => {
    for (const backend of ['rows', 'columnar', 'sqlite'] as const) {
      const answer = await answerOf(() => subject.queryPlan(plan, backend, { range }))
      if (isSampleRefused(answer, () => plan)) continue
      const found = difference(model, answer)
      if (found !== undefined) return `the model and ${backend} differ: ${found}`
    }
    return undefined
  },
}
