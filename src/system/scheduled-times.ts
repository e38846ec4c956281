import { readFileSync } from 'node:fs'

/** What a thread has had so far, milliseconds. */
export interface ScheduledTimes {
  readonly processorMs: number
  /** For how long it had something to do and no core for it. */
  readonly coreWaitMs: number
}

function timesIn(path: string): ScheduledTimes | undefined {
  try {
    const [processorNs, coreWaitNs] = readFileSync(path, 'latin1').split(' ', 2).map(Number)
    if (processorNs === undefined || coreWaitNs === undefined) return undefined
    return { processorMs: processorNs / 1e6, coreWaitMs: coreWaitNs / 1e6 }
  } catch {
    return undefined
  }
}

/** Of a thread of this process; `undefined` where the system does not tell. */
export function threadTimes(thread: number): ScheduledTimes | undefined {
  return timesIn(`/proc/self/task/${thread}/schedstat`)
}

/** Of the main thread of a process; likewise. */
export function processTimes(processId: number): ScheduledTimes | undefined {
  return timesIn(`/proc/${processId}/schedstat`)
}
