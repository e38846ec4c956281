import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/**
 * Samples packed in memory as they arrive, and sent to another thread, give the same answer, bit by bit, and the same
 * notes.
 */
export const packedIsMemory: PromqlLaw = {
  name: 'packed-is-memory',
  check: async (given) =>
    (await differenceIn(given, given.packed.store.reader, 'packed')) ??
    (await differenceIn(given, given.packed.replica.reader, 'packed and told')),
}
