import { answerOf, difference } from '../answer.ts'
import { backendNames } from '../subject.ts'
import type { Oracle } from './oracle.ts'

/** Each backend answers the optimized plan as the row model answers the plan as written. */
export const sameOnEveryBackend: Oracle = {
  name: 'same-on-every-backend',
  check: async ({ text, subject, model }) => {
    for (const backend of backendNames) {
      const found = difference(model, await answerOf(() => subject.ask(text, backend)))
      if (found !== undefined) return `the model and ${backend} differ: ${found}`
    }
    return undefined
  },
}
