import { answerOf, difference, isSampleRefused } from '../answer.ts'
import type { JsonLaw } from './json-law.ts'

/** For an optimized plan, every backend gives the answer of the row model to the plan before optimization. */
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
