import { readFileSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** What threads that run queries are put behind the others by: a third of the weight of one that is not. */
const BEHIND = 5

/** The system's number of the thread that calls this; `undefined` where only whole processes have one. */
export function threadNumber(): number | undefined {
  try {
    const [, number] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    return number === undefined ? undefined : Number(number)
  } catch {
    return undefined
  }
}

/** From now on the thread gets a core after those that are not behind. A service has no right to undo it. */
export function putBehind(thread = threadNumber()): void {
  try {
    if (thread !== undefined) setPriority(thread, BEHIND)
  } catch {
    // The system does not let us, or the thread has ended: it stays as it was.
  }
}

/** What the system counts of a thread of this process: nanoseconds on a core and waiting for one; nothing where it does not tell. */
function scheduledNs(thread: number): readonly string[] {
  try {
    return readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ', 2)
  } catch {
    return []
  }
}

/** The processor time of a thread of this process so far, milliseconds; `undefined` where the system does not tell. */
export function processorMsOf(thread: number): number | undefined {
  const [ns] = scheduledNs(thread)
  return ns === undefined ? undefined : Number(ns) / 1e6
}

/** For how long a thread of this process had something to do and no core for it so far, milliseconds; likewise. */
export function coreWaitMsOf(thread: number): number | undefined {
  const [, ns] = scheduledNs(thread)
  return ns === undefined ? undefined : Number(ns) / 1e6
}

/** The processor time of the thread that calls this, milliseconds; the time by the clock where the system does not tell. */
export function workedMsOfThread(): number {
  const thread = threadNumber()
  return (thread === undefined ? undefined : processorMsOf(thread)) ?? performance.now()
}
