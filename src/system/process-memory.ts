import { readFileSync } from 'node:fs'

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
