import { QUERY_NICENESS } from '../base/index.ts'
import { readlinkSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/** The number that the system gives the calling thread; `undefined` where only whole processes have one. */
export function threadNumber(): number | undefined {
  try {
    const [, number] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    return number === undefined ? undefined : Number(number)
  } catch {
    return undefined
  }
}

/** From now on threads of normal priority get a core first. An unprivileged process cannot undo it. */
export function lowerPriority(thread = threadNumber()): void {
  try {
    if (thread !== undefined) setPriority(thread, QUERY_NICENESS)
  } catch {
    // The system refuses, or the thread has ended.
  }
}

/** Cores that this process may use. */
export const cores = availableParallelism

/** Processor time of this thread, milliseconds; the clock where Node (before 22.19) does not tell. */
export function processorMs(): number {
  const system: { readonly threadCpuUsage?: (this: void) => NodeJS.CpuUsage } = process
  const used = system.threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}
