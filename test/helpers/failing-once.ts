/** The first of its kind ends when it is connected; the next ones take part. */
import { parentPort, workerData } from 'node:worker_threads'
import { serveHelp } from '../../src/helpers/index.ts'

const starts = workerData as Int32Array
if (Atomics.add(starts, 0, 1) === 0) parentPort?.once('message', () => process.exit(1))
else serveHelp()
