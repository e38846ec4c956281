import { runQuery, firstDifference, isIdentical } from '../run-query.ts'
import type { PromqlLaw } from './law.ts'

/** Optimizer rules and shared reads never change the values of an answer; they may only remove annotations. */
export const optimizedIsRaw: PromqlLaw = {
  name: 'optimized-is-raw',
  check: async ({ text, startMs, endMs, stepMs, memory, answer }) => {
    const raw = await runQuery(text, { startMs, endMs, stepMs }, memory, { optimizer: { disabled: ['*'] } })
    if ('error' in answer || 'error' in raw) {
      const codes = [answer, raw].map((given) => ('error' in given ? given.error : 'answered'))
      return codes[0] === codes[1] ? undefined : `optimized ${codes[0]}, raw ${codes[1]}`
    }
    const more = answer.notes.find((note) => !raw.notes.includes(note))
    if (more !== undefined) return `a note that the raw plan has not: ${more}`
    return firstDifference(answer.values, raw.values, isIdentical)
  },
}
