import { readlinkSync } from 'node:fs'
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
