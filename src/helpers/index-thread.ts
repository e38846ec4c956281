import { Worker } from 'node:worker_threads'
import { atOnce } from '../base/index.ts'
import {
  WordIndexBuilder,
  heardWords,
  toldTexts,
  withWords,
  type LoneSegment,
  type MemoryTable,
  type Segment,
  type WordArrays,
} from '../store/index.ts'

/** What the thread is asked for. */
export interface ToIndex {
  readonly id: number
  readonly texts: LoneSegment
}

/** What it made; texts that it cannot read end it. */
export interface FromIndexing {
  readonly id: number
  readonly words: WordArrays | undefined
}

/** Smaller segments are indexed sooner than they are told of. */
const LEAST_ROWS = 8192
/** Where so many segments wait for their words, the next one is indexed by the thread that seals it. */
const MOST_WAITING = 4
/** After so many threads that ended in their work no other is begun. */
const MOST_LOST = 3

interface Waiting {
  readonly table: MemoryTable
  readonly segment: Segment
}

export interface IndexThread {
  /** Resolves once all segments that are sealed by now have their words. */
  settled(): Promise<void>
  /** Ends the thread; segments whose words it has not made get them here. */
  close(): Promise<void>
}

class Indexing implements IndexThread {
  readonly #tables: readonly MemoryTable[]
  readonly #waiting = new Map<number, Waiting>()
  readonly #told: (() => void)[] = []
  #worker: Worker | undefined
  #lastId = 0
  #lost = 0
  #isClosed = false

  constructor(tables: Iterable<MemoryTable>) {
    // Segments that go into files get their words there.
    this.#tables = [...tables].filter((table) => table.onSealed === undefined)
    for (const table of this.#tables) {
      table.sealsWords = (rows) => rows < LEAST_ROWS || this.#waiting.size >= MOST_WAITING || this.#lost >= MOST_LOST
      table.onSealed = (segment) => this.#sealed(table, segment)
    }
  }

  #sealed(table: MemoryTable, segment: Segment): void {
    if (segment.words !== undefined || !segment.columns.has(segment.textField)) return
    const id = ++this.#lastId
    this.#waiting.set(id, { table, segment })
    const worker = (this.#worker ??= this.#start())
    const message: ToIndex = { id, texts: toldTexts(segment) }
    // The process goes on until the words are there.
    worker.ref()
    worker.postMessage(message, [])
  }

  #start(): Worker {
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./index-worker.${extension}`, import.meta.url))
    worker.on('message', ({ id, words }: FromIndexing) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (words !== undefined) waiting?.table.giveWords(waiting.segment, heardWords(words))
      if (this.#waiting.size === 0) this.#settle(worker)
    })
    // What it was at is done here.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      this.#worker = undefined
      if (!this.#isClosed) this.#lost++
      this.#indexHere()
    })
    return worker
  }

  #indexHere(): void {
    const builder = new WordIndexBuilder()
    for (const { table, segment } of this.#waiting.values()) {
      const { words } = atOnce(withWords(segment, builder))
      if (words !== undefined) table.giveWords(segment, words)
    }
    this.#waiting.clear()
    this.#settle(undefined)
  }

  #settle(worker: Worker | undefined): void {
    worker?.unref()
    for (const tell of this.#told.splice(0)) tell()
  }

  async settled(): Promise<void> {
    if (this.#waiting.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#told.push(resolve)
    await promise
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const table of this.#tables) {
      table.sealsWords = () => true
      table.onSealed = undefined
    }
    await this.#worker?.terminate()
    if (this.#waiting.size > 0) this.#indexHere()
  }
}

/**
 * Makes the word indexes of tables in memory in a thread of its own, which begins with the first segment that is sealed;
 * until a segment has its words, searches in it give the same rows, more slowly. A thread that is lost is replaced, and its work
 * is done here. Tables whose rows go into files have their words made with these, and are left alone.
 */
export function indexThread(tables: Iterable<MemoryTable>): IndexThread {
  return new Indexing(tables)
}
