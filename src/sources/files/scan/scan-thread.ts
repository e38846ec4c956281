import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { CHUNK_BYTES, MIB, present } from '../../../base/index.ts'
import {
  recordsAt,
  recordsEnd,
  type ScannedLines,
  type ScannedTemplate,
  type ScanOptions,
} from '../../../store/index.ts'
import { slotState, slotWord, type ScanNews, type ScanRequest } from './protocol.ts'
import { SCAN_SLOTS } from '../tuning.ts'

export interface ScannedSlot {
  readonly lines: ScannedLines
  /** How much of the file is read so far. */
  readonly readBytes: number
}

/** The thread could not go on; from `offset` on the file has to be read in another way. */
export interface ScanRest {
  readonly offset: number
}

/** What came from the thread so far. */
class News {
  readonly #port: MessagePort
  slots: ArrayBufferLike | undefined
  templates: ScannedTemplate[] = []
  version = 0
  error: string | undefined
  offset = 0

  constructor(port: MessagePort) {
    this.#port = port
  }

  take(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      const { buffer, templates, error, offset } = next.message as ScanNews
      if (buffer !== undefined) this.slots = buffer
      if (templates !== undefined) {
        // Templates that were known stay the same objects: readers keep what they found out about them.
        const known = this.templates
        this.templates = templates.map((made, i) => {
          const before = known[i]
          return before !== undefined && isSame(made, before) ? before : made
        })
        this.version++
      }
      if (error !== undefined) this.error = error
      if (offset !== undefined) this.offset = offset
    }
  }
}

function isSame(a: ScannedTemplate, b: ScannedTemplate): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A thread that reads files and finds the values of JSON lines, while this one stores them. */
export class ScanThread {
  readonly #worker: Worker
  #failure: Error | undefined

  constructor() {
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./scan-worker.${extension}`, import.meta.url))
    this.#worker.on('error', (error: Error) => {
      this.#failure = error
    })
  }

  /** All slots of a file; each is free again when the next is asked for. Gives what is left when a line is too long. */
  async *scan(path: string, options: ScanOptions): AsyncGenerator<ScannedSlot, ScanRest | undefined> {
    const control = new SharedArrayBuffer(SCAN_SLOTS * slotWord.count * 4)
    const words = new Int32Array(control)
    const { port1, port2 } = new MessageChannel()
    const request: ScanRequest = { path, options, control, news: port2 }
    this.#worker.postMessage(request, [port2])
    const news = new News(port1)
    try {
      for (let slot = 0; ;) {
        const base = slot * slotWord.count
        const at = base + slotWord.state
        const state = await this.#filled(words, at)
        if (news.slots === undefined || state !== slotState.filled || words[base + slotWord.templates] !== news.version)
          news.take()
        if (state === slotState.ended) return undefined
        if (state === slotState.tooLong) return { offset: news.offset }
        if (state === slotState.failed) throw new Error(news.error ?? 'the scanning thread failed')
        const from = recordsAt(CHUNK_BYTES) >> 2
        const length = recordsEnd(CHUNK_BYTES)
        const memory = present(news.slots)
        const wordOf = (word: number): number => words[base + word] ?? 0
        yield {
          lines: {
            bytes: Buffer.from(memory, slot * length, length),
            words: new Uint32Array(memory, slot * length, length / 4),
            from,
            to: from + wordOf(slotWord.records),
            templates: news.templates,
            origin: wordOf(slotWord.mebibytes) * MIB + wordOf(slotWord.bytes),
          },
          readBytes: wordOf(slotWord.mebibytes) * MIB + CHUNK_BYTES,
        }
        const isSlotDone = words[base + slotWord.isDone] === 1
        Atomics.store(words, at, slotState.free)
        Atomics.notify(words, at)
        if (isSlotDone) slot = (slot + 1) % SCAN_SLOTS
      }
    } finally {
      port1.close()
    }
  }

  async #filled(words: Int32Array, at: number): Promise<number> {
    for (;;) {
      const state = Atomics.load(words, at)
      if (state !== slotState.free) return state
      if (this.#failure !== undefined) throw this.#failure
      // Now and then a look whether the thread is still there.
      const { async: isAsync, value } = Atomics.waitAsync(words, at, slotState.free, 100)
      if (isAsync) await value
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
