import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { HelperLinks } from './links.ts'

export interface HelperThreadsOptions {
  /** How many there are. */
  readonly threads: number
  /** The heap of each may grow to so much, MiB; what the engine gives it unless given. */
  readonly heapMiB?: number | undefined
  /** Told when one ends by itself; queries go on without it. */
  readonly onLost?: ((error: unknown) => void) | undefined
}

/** Threads that help others. */
export class HelperThreads {
  readonly #workers: Worker[]
  #isClosed = false

  constructor({ threads, heapMiB, onLost }: HelperThreadsOptions) {
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const entry = new URL(`./helper-thread.${extension}`, import.meta.url)
    const resourceLimits = heapMiB === undefined ? {} : { maxOldGenerationSizeMb: heapMiB }
    this.#workers = Array.from({ length: threads }, () => {
      const worker = new Worker(entry, { resourceLimits })
      let failure: unknown
      worker.on('error', (error) => (failure = error))
      worker.on('exit', () => {
        if (!this.#isClosed) onLost?.(failure)
      })
      worker.unref()
      return worker
    })
  }

  /** Ports to all of them, for one thread. */
  connect(): readonly MessagePort[] {
    return this.#workers.map((worker) => {
      const { port1, port2 } = new MessageChannel()
      worker.postMessage(port2, [port2])
      return port1
    })
  }

  /** Helpers of this thread. */
  links(leastMs?: number): HelperLinks {
    return new HelperLinks(this.connect(), leastMs)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }
}
