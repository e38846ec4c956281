import { answerOf, difference, isSampleRefused } from '../answer.ts'
import type { Oracle } from './oracle.ts'

/** The columnar backend and SQLite give for the optimized plan the answer of the row model for the unoptimized plan. */
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
