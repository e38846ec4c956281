import { readFileSync } from 'node:fs'

/** For how long the main thread of a process had something to do and no core for it so far, milliseconds; 0 where the system does not tell. */
export function coreWaitMs(processId: number): number {
  try {
    const [, ns = '0'] = readFileSync(`/proc/${processId}/schedstat`, 'latin1').split(' ', 2)
    return Number(ns) / 1e6
  } catch {
    return 0
  }
}
