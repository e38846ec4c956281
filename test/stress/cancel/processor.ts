import { readFileSync, readdirSync } from 'node:fs'

interface ThreadUse {
  readonly name: string
  readonly ms: number
}

/**
 * Processor time of a process by thread, including threads that have ended. It is read in nanoseconds, because
 * `/proc/PID/stat` counts only in steps of 10 ms.
 */
export class ProcessorUse {
  readonly #pid: number
  readonly #threads = new Map<string, ThreadUse>()

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Returns the milliseconds used so far, by the name of the thread. */
  byThread(): Map<string, number> {
    this.#read()
    const used = new Map<string, number>()
    for (const { name, ms } of this.#threads.values()) used.set(name, (used.get(name) ?? 0) + ms)
    return used
  }

  /** Returns the milliseconds that all threads together have used so far. */
  totalMs(): number {
    this.#read()
    let total = 0
    for (const { ms } of this.#threads.values()) total += ms
    return total
  }

  #read(): void {
    const root = `/proc/${this.#pid}/task`
    for (const thread of listOf(root)) {
      try {
        const name = readFileSync(`${root}/${thread}/comm`, 'latin1').trim()
        const ns = Number(readFileSync(`${root}/${thread}/schedstat`, 'latin1').split(' ', 1)[0])
        this.#threads.set(thread, { name, ms: ns / 1e6 })
      } catch {
        // The thread has ended.
      }
    }
  }
}

function listOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns the milliseconds of processor time that all threads of a process together have used so far. */
export function processorMsOf(pid: number): number {
  return new ProcessorUse(pid).totalMs()
}
