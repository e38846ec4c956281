import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** The processor and waiting time of a thread so far, in milliseconds. */
export interface ScheduledTimes {
  readonly processorMs: number
  /** For how long it had something to do and no core for it. */
  readonly coreWaitMs: number
}

function timesOf(text: string): ScheduledTimes | undefined {
  const [processorNs, coreWaitNs] = text.split(' ', 2).map(Number)
  if (processorNs === undefined || coreWaitNs === undefined) return undefined
  return { processorMs: processorNs / 1e6, coreWaitMs: coreWaitNs / 1e6 }
}

function timesIn(path: string): ScheduledTimes | undefined {
  try {
    return timesOf(readFileSync(path, 'latin1'))
  } catch {
    return undefined
  }
}

const pathOf = (thread: number): string => `/proc/self/task/${thread}/schedstat`

/** Scheduler times of a thread of this process; `undefined` where the system has none. */
export function threadTimes(thread: number): ScheduledTimes | undefined {
  return timesIn(pathOf(thread))
}

/** Three numbers. */
const line = Buffer.alloc(128)

/**
 * Reads the processor and waiting time of a thread of this process repeatedly, through a file that stays open, which
 * takes a quarter of the time.
 */
export class ThreadTimes {
  #file: number | undefined

  constructor(thread: number) {
    try {
      this.#file = openSync(pathOf(thread), 'r')
    } catch {
      // The system does not tell.
    }
  }

  /** `undefined` where the system does not tell, when the thread has ended, and after `close`. */
  now(): ScheduledTimes | undefined {
    if (this.#file === undefined) return undefined
    try {
      return timesOf(line.toString('latin1', 0, readSync(this.#file, line, 0, line.length, 0)))
    } catch {
      return undefined
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

/** Scheduler times of the main thread of a process; `undefined` where the system has none. */
export function processTimes(processId: number): ScheduledTimes | undefined {
  return timesIn(`/proc/${processId}/schedstat`)
}
