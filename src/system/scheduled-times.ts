import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** The processor time and run-queue waiting time of a thread since its start, in milliseconds. */
export interface ScheduledTimes {
  readonly processorMs: number
  /** Time in which the thread was runnable but had no core. */
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

/** Returns the scheduler times of a thread of this process; `undefined` on systems that do not report them. */
export function threadTimes(thread: number): ScheduledTimes | undefined {
  return timesIn(pathOf(thread))
}

/** Buffer for a line with three numbers. */
const line = Buffer.alloc(128)

/**
 * Reads the scheduler times of one thread repeatedly. The file stays open, because opening it costs more than reading
 * it.
 */
export class ThreadTimes {
  #file: number | undefined

  constructor(thread: number) {
    try {
      this.#file = openSync(pathOf(thread), 'r')
    } catch {
      // This system does not report scheduler times.
    }
  }

  /**
   * Returns the current times; `undefined` if the system does not report them, the thread has ended, or `close` was
   * called.
   */
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

/** Returns the scheduler times of the main thread of a process; `undefined` on systems that do not report them. */
export function processTimes(processId: number): ScheduledTimes | undefined {
  return timesIn(`/proc/${processId}/schedstat`)
}
