import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { HelperLinks, type LinkOptions } from './links.ts'

export interface HelperThreadsOptions {
  /** How many there are. */
  readonly threads: number
  /** What they run, which calls `serveHelp`; a file that only does that unless given. */
  readonly entry?: URL | undefined
  /** What `entry` is started with. */
  readonly data?: unknown
  /** The heap of each may grow to so much, MiB; what the engine gives it unless given. */
  readonly heapMiB?: number | undefined
  /** Told when one ends by itself; queries go on without it until there is another. */
  readonly onLost?: ((error: unknown) => void) | undefined
  /** Told when another has taken the place of one that was lost: ports to it are got by `connect`. */
  readonly onReplaced?: (() => void) | undefined
}

/** How long the place of a thread that was lost stays empty, milliseconds: twice as long each time, up to the last. */
const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = 60_000
/** One that was there for so long was not lost for what it does at its start. */
const LASTING_MS = 60_000

/** The place of one thread: the one that is there, and ports that wait for the next. */
interface Place {
  worker: Worker | undefined
  waiting: MessagePort[]
  waitMs: number
  timer: NodeJS.Timeout | undefined
}

/** Threads that help others, started when they are first wanted. One that is lost is replaced after a while. */
export class HelperThreads {
  readonly #options: HelperThreadsOptions
  readonly #places: readonly Place[]
  readonly #links = new Set<HelperLinks>()
  #isStarted = false
  #isClosed = false

  constructor(options: HelperThreadsOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.threads }, () => ({
      worker: undefined,
      waiting: [],
      waitMs: FIRST_WAIT_MS,
      timer: undefined,
    }))
  }

  /** Starts them, unless that was done. */
  start(): void {
    if (this.#isStarted || this.#isClosed) return
    this.#isStarted = true
    for (const place of this.#places) this.#startAt(place)
  }

  #startAt(place: Place): void {
    const { data, heapMiB } = this.#options
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const entry = this.#options.entry ?? new URL(`./helper-thread.${extension}`, import.meta.url)
    const resourceLimits = heapMiB === undefined ? {} : { maxOldGenerationSizeMb: heapMiB }
    const worker = new Worker(entry, { workerData: data, resourceLimits })
    const startedMs = performance.now()
    let failure: unknown
    worker.on('error', (error) => (failure = error))
    worker.on('exit', () => this.#lose(place, failure, performance.now() - startedMs))
    worker.unref()
    place.worker = worker
    for (const port of place.waiting.splice(0)) worker.postMessage(port, [port])
  }

  #lose(place: Place, error: unknown, livedMs: number): void {
    if (this.#isClosed) return
    place.worker = undefined
    if (livedMs > LASTING_MS) place.waitMs = FIRST_WAIT_MS
    place.timer = setTimeout(() => this.#replace(place), place.waitMs)
    place.timer.unref()
    place.waitMs = Math.min(LAST_WAIT_MS, place.waitMs * 2)
    this.#options.onLost?.(error)
  }

  #replace(place: Place): void {
    for (const links of this.#links) links.replace(this.#places.indexOf(place), this.#portTo(place))
    this.#startAt(place)
    this.#options.onReplaced?.()
  }

  #portTo({ worker, waiting }: Place): MessagePort {
    const { port1, port2 } = new MessageChannel()
    if (worker === undefined) waiting.push(port2)
    else worker.postMessage(port2, [port2])
    return port1
  }

  /** Ports to all of them, for one thread. */
  connect(): readonly MessagePort[] {
    return this.#places.map((place) => this.#portTo(place))
  }

  /** Helpers of this thread. */
  links(options: LinkOptions = {}): HelperLinks {
    this.start()
    const links = new HelperLinks(this.connect(), { ...options, onClose: () => this.#links.delete(links) })
    this.#links.add(links)
    return links
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { waiting, timer } of this.#places) {
      clearTimeout(timer)
      for (const port of waiting) port.close()
    }
    await Promise.all(this.#places.flatMap(({ worker }) => worker?.terminate() ?? []))
  }
}
