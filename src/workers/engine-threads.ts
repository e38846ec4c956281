import type { ThreadPool } from '../engine/index.ts'
import { inBackground } from './background.ts'
import { MorselLines, type MorselLinesOptions } from './morsel-lines.ts'
import { WorkerPool } from './pool.ts'
import { moduleBeside } from '../system/index.ts'

/** Limit of a worker's JavaScript heap, and of its buffers, MiB: the default of a server's workers. */
const HEAP_MIB = 1024

export interface ThreadPoolOptions extends MorselLinesOptions {
  /** Threads beside that of the engine. */
  readonly workers: number
  /** What the threads run; a file that only serves jobs unless given. */
  readonly entry?: URL
  /** What they are started with. */
  readonly data?: unknown
}

/** Starts the threads of an engine, which `createEngine({ threads })` loads from here. They do not keep the process running while they have nothing to do. */
export function startThreads({ workers, entry, data, ...options }: ThreadPoolOptions): ThreadPool {
  const pool = new WorkerPool({
    entry: entry ?? moduleBeside(import.meta.url, 'engine-worker'),
    data,
    workers,
    hasReserved: false,
    heapMiB: HEAP_MIB,
    told: () => ({ what: undefined, transfer: [] }),
  })
  const lines = new MorselLines(pool, options)
  return {
    parallelism: lines,
    index: (texts) => inBackground({ kind: 'index', texts }, (port) => pool.background(port)),
    async close() {
      lines.close()
      await pool.close()
    },
  }
}
