import { readlinkSync } from 'node:fs'
import { availableParallelism, setPriority, totalmem } from 'node:os'

/** Nice level of threads with lowered priority: a third of the weight of a normal one. */
const LOWERED_NICE = 5

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
    if (thread !== undefined) setPriority(thread, LOWERED_NICE)
  } catch {
    // The system refuses, or the thread has ended.
  }
}

/** Workers for each core, at most. */
const WORKERS_PER_CORE = 4
/** Part of the machine's memory that the limits of all workers' heaps may add up to. */
const MEMORY_SHARE = 0.5

/** Cores that this process may use. */
export const cores = availableParallelism

/** Most workers with heaps of this size that the machine has cores and memory for. */
export function mostWorkers(heapMiB: number): number {
  return Math.min(WORKERS_PER_CORE * cores(), Math.floor((MEMORY_SHARE * totalmem()) / (heapMiB * 2 ** 20)))
}
