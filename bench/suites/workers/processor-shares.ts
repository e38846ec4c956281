import { readFileSync, readdirSync } from 'node:fs'

/** The threads of this process by their task. */
export type ThreadKind = 'coordinator' | 'workers' | 'helpers'

const kindOf = (name: string): ThreadKind =>
  name === 'WorkerThread' ? 'workers' : name === 'node-MainThread' || name === 'node' ? 'coordinator' : 'helpers'

/**
 * Returns the processor milliseconds of this process so far. `helpers` compile and collect garbage for the others. Only
 * Linux reports them.
 */
export function processorShares(): Readonly<Record<ThreadKind, number>> {
  const shares = { coordinator: 0, workers: 0, helpers: 0 }
  for (const id of readdirSync('/proc/self/task')) {
    try {
      const folder = `/proc/self/task/${id}`
      const name = readFileSync(`${folder}/comm`, 'utf8').trim()
      shares[kindOf(name)] += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      // The thread has ended since.
    }
  }
  return shares
}
