import { answerOf, difference, isSampleRefused } from '../answer.ts'
import type { Oracle } from './oracle.ts'

/**
 * For an optimized plan, the columnar backend and SQLite give the answer of the row model to the plan before
 * optimization.
 */
export const sameOnEveryBackend: Oracle = {
  name: 'same-on-every-backend',
  check: async ({ text, subject, model }) => {
    for (const backend of ['columnar', 'sqlite'] as const) {
      const answer = await answerOf(() => subject.query(text, backend))
      if (isSampleRefused(answer, () => subject.lowered(text))) continue
      const found = difference(model, answer)
      if (found !== undefined) return `the model and ${backend} differ: ${found}`
    }
    return undefined
  },
}
