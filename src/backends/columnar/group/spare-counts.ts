import { sharedMemory } from '../../../base/index.ts'

/** Of fewer groups the memory is made anew: that costs little. */
const LEAST_GROUPS = 2 ** 16
/** Of more groups the memory is let go of, 16 MiB. */
const MOST_GROUPS = 2 ** 22

/**
 * Counts of an aggregate that has ended, for the next one of this thread. The pages of new memory are given one by one when they are first
 * written to, and two threads that do so at once wait for each other: half of the time it takes to count millions of groups.
 */
let spare: Uint32Array | undefined

/** Zeros, so many; of many groups in memory that other threads can see. */
export function takeCounts(length: number): Uint32Array {
  if (length < LEAST_GROUPS) return new Uint32Array(length)
  const found = spare
  if (found === undefined || found.length < length) return new Uint32Array(sharedMemory(length * 4))
  spare = undefined
  return found.subarray(0, length).fill(0)
}

/** Nobody reads these any more. */
export function keepCounts({ buffer }: Uint32Array): void {
  const length = buffer.byteLength / 4
  if (length < LEAST_GROUPS || length > MOST_GROUPS || (spare !== undefined && spare.length >= length)) return
  spare = new Uint32Array(buffer)
}
