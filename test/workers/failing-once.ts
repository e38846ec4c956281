/** A worker for tests: the thread that receives the first morsels exits and counts itself as lost; later ones work. */
import { parentPort } from 'node:worker_threads'
import { serveJobs, serveLine, startData } from '../../src/workers/index.ts'
import type { ToWorker } from '../../src/workers/protocol.ts'

const lost = startData() as Int32Array
parentPort?.on('message', ({ kind }: ToWorker) => {
  if (kind === 'line' && Atomics.compareExchange(lost, 0, 0, 1) === 0) process.exit(1)
})
serveJobs({
  onMessage: () => undefined,
  line: (port, isWanted) => serveLine(port, undefined, isWanted),
  answer: () => Promise.reject(new Error('nobody asks')),
})
