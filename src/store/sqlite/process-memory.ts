import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/** Bytes of memory a process holds now; `undefined` where the system does not tell. */
export function residentBytes(processId: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1])
    return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined
  } catch {
    return undefined
  }
}
