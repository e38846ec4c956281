/** A worker for tests: the first one exits when it receives its first morsels; later ones process theirs. */
import { parentPort } from 'node:worker_threads'
import { serveJobs, serveLine, startData } from '../../src/workers/index.ts'
import type { ToWorker } from '../../src/workers/protocol.ts'

if (Atomics.add(startData() as Int32Array, 0, 1) === 0)
  parentPort?.on('message', ({ kind }: ToWorker) => kind === 'line' && process.exit(1))
serveJobs({
  onMessage: () => undefined,
  line: (port, isWanted) => serveLine(port, undefined, isWanted),
  answer: () => Promise.reject(new Error('nobody asks')),
})
