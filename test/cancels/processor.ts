import { readFileSync, readdirSync } from 'node:fs'

/** Processor milliseconds that the threads of a process have used so far, by their names, to the nanosecond: `/proc/PID/stat` counts in 10 ms. */
export function processorMsByThread(pid: number): Map<string, number> {
  const used = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, 'latin1').trim()
      const ns = Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
      used.set(name, (used.get(name) ?? 0) + ns / 1e6)
    }
  } catch {
    // It has ended.
  }
  return used
}

/** As `processorMsByThread`, all threads together. */
export function processorMsOf(pid: number): number {
  let ms = 0
  for (const used of processorMsByThread(pid).values()) ms += used
  return ms
}

/** The processes that a process has started. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
