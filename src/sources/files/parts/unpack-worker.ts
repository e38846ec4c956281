import { parentPort, workerData } from 'node:worker_threads'
import { openInput } from '../input.ts'
import { ByteRing } from './byte-ring.ts'
import { faultOf, type UnpackTask } from './unpacked-source.ts'

/** Decompresses one file for the thread that reads it. */
const { path, memory } = workerData as UnpackTask
const ring = new ByteRing(memory)
try {
  for await (const chunk of openInput(path)) if (!ring.write(chunk)) break
} catch (error) {
  parentPort?.postMessage(faultOf(error), [])
} finally {
  ring.end()
}
