import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/**
 * Samples in files, read through a small cache, give the same answer as samples in memory, bit by bit, and the same
 * notes.
 */
export const filesAreMemory: PromqlLaw = {
  name: 'files-are-memory',
  check: (given) => differenceIn(given, given.files, 'files'),
}
