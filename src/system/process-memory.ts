import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import process from 'node:process'

const PAGE_BYTES = 4096

/** Bytes of memory a process has for itself now, mapped files aside; `undefined` where the system does not tell. */
export function ownBytes(processId: number): number | undefined {
  try {
    const [, resident = NaN, shared = NaN] = readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ').map(Number)
    return Number.isFinite(resident - shared) ? (resident - shared) * PAGE_BYTES : undefined
  } catch {
    return undefined
  }
}

/** Memory that the process can have: that of the machine, or of its control group where that is less. `constrainedBytes` is 0 or huge without such a limit. */
export function availableBytes(totalBytes = totalmem(), constrainedBytes = process.constrainedMemory()): number {
  return constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
}
