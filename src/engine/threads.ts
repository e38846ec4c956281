import { runToEnd } from '../base/index.ts'
import { SHARE_AFTER_MS, type Parallelism } from '../backends/columnar/index.ts'
import type { Table } from '../plan/index.ts'
import {
  SMALL_SEGMENT_ROWS,
  TableView,
  WordIndexBuilder,
  decodeWordIndex,
  encodeTextField,
  withWords,
  type LoneSegment,
  type Segment,
  type TableSealer,
  type WordArrays,
} from '../store/index.ts'

/** Interface of `workers/engine-threads.ts`, a module that can be loaded only on Node. */
export interface ThreadPool {
  readonly parallelism: Parallelism
  /** Builds the word index of a segment. Resolves to `undefined` if the index cannot be built. */
  index(texts: LoneSegment): Promise<WordArrays | undefined>
  close(): Promise<void>
}

/** Maximum number of segments that wait for their index. Beyond it, the writing thread indexes a segment itself. */
const MAX_WAITING = 4

/** Path of the module with the threads. In the bundle, all files are in one folder. */
const poolFile = import.meta.url.endsWith('.ts') ? '../workers/engine-threads.ts' : './engine-threads.js'

async function loadThreads(workers: number): Promise<ThreadPool> {
  const { startThreads } = (await import(/* @vite-ignore */ new URL(poolFile, import.meta.url).href)) as {
    readonly startThreads: (options: { readonly workers: number }) => ThreadPool
  }
  return startThreads({ workers })
}

/** Prints a warning. The engine has no log; on Node the application can handle the warning. */
function warnOfOneThread(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  const warning = `Queries run on one thread, since others could not be started: ${reason}`
  const { process } = globalThis as {
    readonly process?: { readonly emitWarning?: (text: string, name: string) => void }
  }
  if (process?.emitWarning === undefined) console.warn(warning)
  else process.emitWarning(warning, 'SluiceWarning')
}

/** The threads of each engine, to be used by its metric queries. */
export const threadsOf = new WeakMap<object, Parallelism>()

/** The additional threads of an engine. They start with the first long query or the first large sealed segment. */
export class EngineThreads implements Parallelism {
  readonly shareAfterMs = SHARE_AFTER_MS
  readonly #workers: number
  readonly #loadThreads: (workers: number) => Promise<ThreadPool>
  readonly #sealers: readonly TableSealer[]
  /** Sealed segments that have no word index yet. */
  readonly #waiting = new Set<Segment>()
  readonly #onIndexed: (() => void)[] = []
  #started: Promise<ThreadPool | undefined> | undefined
  #pool: ThreadPool | undefined
  #isClosed = false

  /** Indexes sealed segments of in-memory tables, except tables whose `onSealed` is used otherwise. */
  constructor(workers: number, tables: Iterable<Table>, load = loadThreads) {
    this.#workers = workers
    this.#loadThreads = load
    this.#sealers = [...tables]
      .filter((table): table is TableView => table instanceof TableView && table.sealer.onSealed === undefined)
      .map(({ sealer }) => sealer)
    for (const sealer of this.#sealers) {
      sealer.sealsWords = (rows) => rows < SMALL_SEGMENT_ROWS || this.#waiting.size >= MAX_WAITING
      sealer.onSealed = (segment) => void this.#index(sealer, segment)
    }
  }

  get hasIdle(): boolean {
    void this.#start()
    return this.#pool?.parallelism.hasIdle === true
  }

  share(work: Parameters<Parallelism['share']>[0]): ReturnType<Parallelism['share']> {
    return this.#pool?.parallelism.share(work)
  }

  /**
   * Starts the threads. If they cannot start (in a browser, or because a bundler omitted their file), prints a warning
   * and resolves to `undefined`.
   */
  #start(): Promise<ThreadPool | undefined> {
    this.#started ??= this.#load().catch((error: unknown) => {
      warnOfOneThread(error)
      return undefined
    })
    return this.#started
  }

  async #load(): Promise<ThreadPool | undefined> {
    const pool = await this.#loadThreads(this.#workers)
    if (!this.#isClosed) return (this.#pool = pool)
    await pool.close()
    return undefined
  }

  async #index(sealer: TableSealer, segment: Segment): Promise<void> {
    if (segment.words !== undefined || !segment.columns.has(segment.textField)) return
    this.#waiting.add(segment)
    const pool = await this.#start()
    const words = this.#isClosed ? undefined : await pool?.index(encodeTextField(segment))
    if (!this.#waiting.delete(segment)) return
    const made =
      words === undefined ? runToEnd(withWords(segment, new WordIndexBuilder())).words : decodeWordIndex(words)
    if (made !== undefined) sealer.addWords(segment, made)
    if (this.#waiting.size === 0) for (const tell of this.#onIndexed.splice(0)) tell()
  }

  /** Resolves when all segments that are sealed at the time of the call have their word indexes. */
  async indexed(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => this.#onIndexed.push(resolve))
  }

  /** Stops the threads. The calling thread then indexes the segments that are still waiting. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const sealer of this.#sealers) {
      sealer.sealsWords = () => true
      sealer.onSealed = undefined
    }
    const pool = await this.#started
    this.#pool = undefined
    await pool?.close()
    await this.indexed()
  }
}
