import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/**
 * Samples read from files through a small cache give the same answer as samples in memory, bit by bit, with the same
 * annotations.
 */
export const filesAreMemory: PromqlLaw = {
  name: 'files-are-memory',
  check: (given) => differenceIn(given, given.files, 'files'),
}
