import { runQuery, firstDifference, isIdentical } from '../run-query.ts'
import type { PromqlLaw } from './law.ts'

/** Samples kept in SQLite give the same answer, bit by bit, and the same notes. */
export const sqliteIsMemory: PromqlLaw = {
  name: 'sqlite-is-memory',
  check: async ({ text, startMs, endMs, stepMs, sqlite, answer }) => {
    const other = await runQuery(text, { startMs, endMs, stepMs }, sqlite)
    if ('error' in answer || 'error' in other) {
      const codes = [answer, other].map((given) => ('error' in given ? `${given.error} ${given.message}` : 'answered'))
      return codes[0] === codes[1] ? undefined : `memory ${codes[0]}, SQLite ${codes[1]}`
    }
    const [notes, otherNotes] = [answer.notes.join('; '), other.notes.join('; ')]
    if (notes !== otherNotes) return `notes: ${notes} and ${otherNotes}`
    return firstDifference(answer.values, other.values, isIdentical)
  },
}
