import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import process from 'node:process'

const PAGE_BYTES = 4096

/**
 * Returns the private resident memory of a process in bytes (without mapped files); `undefined` on systems without
 * `/proc`.
 */
export function ownBytes(processId: number): number | undefined {
  try {
    const [, resident = NaN, shared = NaN] = readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ').map(Number)
    return Number.isFinite(resident - shared) ? (resident - shared) * PAGE_BYTES : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the memory in bytes that the process can use: the memory of the machine, or the limit of its control group if
 * lower. `constrainedBytes` is 0 or huge without such a limit.
 */
export function availableBytes(totalBytes = totalmem(), constrainedBytes = process.constrainedMemory()): number {
  return constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
}
