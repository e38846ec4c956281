import type { SampleSource } from '../../../store/index.ts'
import { firstDifference, isIdentical, runQuery, type SameValue } from '../run-query.ts'
import type { LawCase } from './law.ts'

/**
 * Describes how the answer from another source differs from the answer from memory. `undefined` if all values are
 * bit-identical and the annotations are the same.
 */
export async function differenceIn(
  { text, startMs, endMs, stepMs, answer }: LawCase,
  source: SampleSource,
  name: string,
  isSame: SameValue = isIdentical,
): Promise<string | undefined> {
  const other = await runQuery(text, { startMs, endMs, stepMs }, source)
  if ('error' in answer || 'error' in other) {
    const codes = [answer, other].map((given) => ('error' in given ? `${given.error} ${given.message}` : 'answered'))
    return codes[0] === codes[1] ? undefined : `memory ${codes[0]}, ${name} ${codes[1]}`
  }
  const [notes, otherNotes] = [answer.notes.join('; '), other.notes.join('; ')]
  if (notes !== otherNotes) return `notes: ${notes} and ${otherNotes}`
  return firstDifference(answer.values, other.values, isSame)
}
