import { Worker } from 'node:worker_threads'
import { CommandError } from '../../../base/index.ts'
import { NotText } from '../content.ts'
import { IncompleteInput } from '../packing.ts'
import { UNPACKED_RING_BYTES } from '../tuning.ts'
import { ByteRing, type ByteRingMemory } from './byte-ring.ts'
import type { ByteSource } from './byte-source.ts'
import { moduleBeside } from '../../../system/index.ts'

/** The task of a decompressing thread. Plain data. */
export interface UnpackTask {
  readonly path: string
  readonly memory: ByteRingMemory
}

/** A fault of a file as plain data; the receiving thread makes an error of it. */
interface UnpackFault {
  readonly kind: number
  readonly message: string
}

/** Error classes that readers of files distinguish; subclasses come before their base classes. */
const faultKinds = [IncompleteInput, NotText, CommandError]

export function faultOf(error: unknown): UnpackFault {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: faultKinds.findIndex((kind) => error instanceof kind), message }
}

/** A compressed file that a separate thread decompresses. */
export class UnpackedSource implements ByteSource {
  readonly #ring = new ByteRing(UNPACKED_RING_BYTES)
  readonly #worker: Worker
  readonly #gone: Promise<unknown>
  #fault: UnpackFault | undefined

  constructor(path: string) {
    const workerData: UnpackTask = { path, memory: this.#ring.memory }
    this.#worker = new Worker(moduleBeside(import.meta.url, 'unpack-worker'), { workerData })
    this.#gone = new Promise((resolve) => this.#worker.on('exit', resolve))
    this.#worker.on('message', (fault: UnpackFault) => (this.#fault = fault))
    this.#worker.on('error', (error) => (this.#fault ??= faultOf(error)))
    this.#worker.on('exit', (code) => {
      if (code !== 0) this.#fault ??= faultOf(`The thread that unpacks ${path} was lost.`)
      this.#ring.end()
    })
  }

  async read(target: Uint8Array): Promise<number> {
    const bytes = await this.#ring.read(target)
    if (bytes > 0) return bytes
    await this.#gone
    if (this.#fault === undefined) return 0
    const { kind, message } = this.#fault
    const Kind = faultKinds[kind] ?? Error
    throw new Kind(message, 1)
  }

  async close(): Promise<void> {
    this.#ring.end()
    await this.#worker.terminate()
  }
}
