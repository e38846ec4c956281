import { readFileSync, readdirSync } from 'node:fs'

/** Processor milliseconds that a process has used so far, all its threads together, to the nanosecond: `/proc/PID/stat` counts in 10 ms. */
export function processorMsOf(pid: number): number {
  let ns = 0
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
  } catch {
    // It has ended.
  }
  return ns / 1e6
}

/** The processes that a process has started. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
