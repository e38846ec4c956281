import type { QueryThreads } from '../backends/columnar/index.ts'
import { LEAST_MS, type HelperLinks } from './links.ts'
import { HelperThreads } from './threads.ts'

export interface QueryThreadsOptions {
  /** How many there are. */
  readonly threads: number
  /** The heap of each may grow to so much, MiB; what Node gives it unless given. */
  readonly heapMiB?: number | undefined
  /** Work that would take less is not shared, milliseconds; 5 unless given. */
  readonly leastMs?: number | undefined
  /** Told when one ends by itself; another takes its place after a while. */
  readonly onLost?: ((error: unknown) => void) | undefined
}

/**
 * Threads that take part in the long queries of an engine in this thread, beside it: one fewer than there are cores is a good number. They are
 * started by the first query that is long enough, and do not keep the process going.
 */
export function queryThreads({ leastMs = LEAST_MS, ...options }: QueryThreadsOptions): QueryThreads {
  const threads = new HelperThreads(options)
  let links: HelperLinks | undefined
  let isClosed = false
  return {
    leastMs,
    count: options.threads,
    share(work) {
      if (isClosed) return undefined
      links ??= threads.links({ leastMs })
      return links.share(work)
    },
    async close() {
      isClosed = true
      links?.close()
      await threads.close()
    },
  }
}
