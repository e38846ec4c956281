import { simulatedThreads } from '../../simulated-threads.ts'
import { runQuery, firstDifference, isIdentical } from '../run-query.ts'
import type { PromqlLaw } from './law.ts'

/** Several threads give the same answer and annotations as one. */
export const sharedIsAlone: PromqlLaw = {
  name: 'shared-is-alone',
  check: async ({ text, startMs, endMs, stepMs, memory, answer }) => {
    const shared = await runQuery(text, { startMs, endMs, stepMs }, memory, { parallelism: simulatedThreads() })
    if ('error' in answer || 'error' in shared) {
      const codes = [answer, shared].map((given) => ('error' in given ? given.error : 'answered'))
      return codes[0] === codes[1] ? undefined : `alone ${codes[0]}, shared ${codes[1]}`
    }
    if (answer.notes.join('\n') !== shared.notes.join('\n')) {
      return `alone ${JSON.stringify(answer.notes)}, shared ${JSON.stringify(shared.notes)}`
    }
    return firstDifference(answer.values, shared.values, isIdentical)
  },
}
