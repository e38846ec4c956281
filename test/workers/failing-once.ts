/** The first worker of its kind ends with the first morsels that are sent to it; the next ones take part. */
import { parentPort } from 'node:worker_threads'
import { serveJobs, serveLine, startData } from '../../src/workers/index.ts'
import type { ToWorker } from '../../src/workers/protocol.ts'

if (Atomics.add(startData() as Int32Array, 0, 1) === 0)
  parentPort?.on('message', ({ kind }: ToWorker) => kind === 'line' && process.exit(1))
serveJobs({
  told: () => undefined,
  line: (port, isWanted) => serveLine(port, undefined, isWanted),
  answer: () => Promise.reject(new Error('nobody asks')),
})
