import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { HelperLinks } from './links.ts'

export interface HelperThreadsOptions {
  /** How many there are. */
  readonly threads: number
  /** What they run, which calls `serveHelp`; a file that only does that unless given. */
  readonly entry?: URL | undefined
  /** What `entry` is started with. */
  readonly data?: unknown
  /** The heap of each may grow to so much, MiB; what the engine gives it unless given. */
  readonly heapMiB?: number | undefined
  /** Told when one ends by itself; queries go on without it. */
  readonly onLost?: ((error: unknown) => void) | undefined
}

/** Threads that help others, started when they are first wanted. */
export class HelperThreads {
  readonly #options: HelperThreadsOptions
  #workers: readonly Worker[] | undefined
  /** Ports to them that wait for their start, by thread. */
  #waiting: MessagePort[][]
  #isClosed = false

  constructor(options: HelperThreadsOptions) {
    this.#options = options
    this.#waiting = Array.from({ length: options.threads }, () => [])
  }

  /** Starts them, unless that was done. */
  start(): void {
    if (this.#workers !== undefined || this.#isClosed) return
    const { threads, data, heapMiB, onLost } = this.#options
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const entry = this.#options.entry ?? new URL(`./helper-thread.${extension}`, import.meta.url)
    const resourceLimits = heapMiB === undefined ? {} : { maxOldGenerationSizeMb: heapMiB }
    this.#workers = Array.from({ length: threads }, (_, index) => {
      const worker = new Worker(entry, { workerData: data, resourceLimits })
      let failure: unknown
      worker.on('error', (error) => (failure = error))
      worker.on('exit', () => {
        if (!this.#isClosed) onLost?.(failure)
      })
      worker.unref()
      for (const port of this.#waiting[index] ?? []) worker.postMessage(port, [port])
      return worker
    })
    this.#waiting = []
  }

  /** Ports to all of them, for one thread. */
  connect(): readonly MessagePort[] {
    return Array.from({ length: this.#options.threads }, (_, index) => {
      const { port1, port2 } = new MessageChannel()
      const worker = this.#workers?.[index]
      if (worker === undefined) this.#waiting[index]?.push(port2)
      else worker.postMessage(port2, [port2])
      return port1
    })
  }

  /** Helpers of this thread. */
  links(leastMs?: number): HelperLinks {
    this.start()
    return new HelperLinks(this.connect(), { leastMs })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const port of this.#waiting.flat()) port.close()
    await Promise.all((this.#workers ?? []).map((worker) => worker.terminate()))
  }
}
