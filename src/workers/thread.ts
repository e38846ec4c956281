import { QUERY_NICENESS } from '../base/index.ts'
import { readlinkSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/** Returns the system's number of the calling thread; `undefined` on systems that number only processes. */
export function threadNumber(): number | undefined {
  try {
    const [, number] = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    return number === undefined ? undefined : Number(number)
  } catch {
    return undefined
  }
}

/**
 * Lowers a thread's priority, so that threads of normal priority get a core first. An unprivileged process cannot raise
 * it again.
 */
export function lowerPriority(thread = threadNumber()): void {
  try {
    if (thread !== undefined) setPriority(thread, QUERY_NICENESS)
  } catch {
    // The system refused the change, or the thread has ended.
  }
}

/** Returns the number of cores that this process may use. */
export const cores = availableParallelism

/** Returns the processor time of this thread in milliseconds. Before Node 22.19 it returns the clock instead. */
export function processorMs(): number {
  const system: { readonly threadCpuUsage?: (this: void) => NodeJS.CpuUsage } = process
  const used = system.threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}
