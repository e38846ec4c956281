import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/**
 * Samples give the same answer, bit by bit, with the same annotations: unpacked in memory, packed as they arrive, and
 * packed in a replica in another thread.
 */
export const packedIsMemory: PromqlLaw = {
  name: 'packed-is-memory',
  check: async (given) =>
    (await differenceIn(given, given.packed.store.reader, 'packed')) ??
    (await differenceIn(given, given.packed.replica.reader, 'packed and told')),
}
