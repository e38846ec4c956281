import type { ThreadPool } from '../engine/index.ts'
import { inBackground } from './background.ts'
import { MorselLines, type MorselLinesOptions } from './morsel-lines.ts'
import { WorkerPool } from './pool.ts'
import { moduleBeside } from '../system/index.ts'

/**
 * The limit in MiB of a worker's JavaScript heap, and separately of its buffers. Also the default for the workers of a
 * server.
 */
const HEAP_MIB = 1024

export interface ThreadPoolOptions extends MorselLinesOptions {
  /** The number of threads in addition to that of the engine. */
  readonly workers: number
  /** The module that the threads run; by default one that only serves jobs. */
  readonly entry?: URL
  /** The data that the threads receive at their start. */
  readonly data?: unknown
}

/**
 * Starts the threads of an engine. `createEngine({ threads })` loads this function. Idle threads do not keep the
 * process running.
 */
export function startThreads({ workers, entry, data, ...options }: ThreadPoolOptions): ThreadPool {
  const pool = new WorkerPool({
    entry: entry ?? moduleBeside(import.meta.url, 'engine-worker'),
    data,
    workers,
    hasReserved: false,
    heapMiB: HEAP_MIB,
    firstMessage: () => ({ what: undefined, transfer: [] }),
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
