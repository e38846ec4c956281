import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Bytes, CHUNK_BYTES, LINE_FEED, MIB } from '../../../base/index.ts'
import { LineScanner, recordsAt, recordsEnd } from '../../../store/memory/lines/index.ts'
import { slotState, slotWord, type ScanNews, type ScanRequest } from './protocol.ts'
import { SCAN_SLOTS } from '../tuning.ts'

/** Fills slot after slot with lines of a file and records of them, waiting for the main thread to take them. */
class FileScan {
  readonly #request: ScanRequest
  readonly #control: Int32Array
  readonly #scanner: LineScanner
  /** What the slots hold: a text and records, as in the scanner's memory. */
  readonly #slots = new SharedArrayBuffer(SCAN_SLOTS * recordsEnd(CHUNK_BYTES))
  #slot = 0
  #version = 0
  #told = ''

  constructor(request: ScanRequest) {
    this.#request = request
    this.#control = new Int32Array(request.control)
    this.#scanner = new LineScanner(request.options, CHUNK_BYTES)
    this.#tell({ buffer: this.#slots })
  }

  run(): void {
    let file: number | undefined
    try {
      file = openSync(this.#request.path, 'r')
      this.#read(file)
    } catch (error) {
      this.#tell({ error: error instanceof Error ? error.message : String(error) })
      this.#end(slotState.failed)
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  #read(file: number): void {
    let rest: Bytes = Bytes.alloc(0)
    let offset = 0
    for (;;) {
      const { text } = this.#scanner
      rest.copy(text, 0)
      const read = readSync(file, text, rest.length, CHUNK_BYTES - rest.length, null)
      let total = rest.length + read
      if (read === 0) {
        if (total === 0) break
        text[total++] = LINE_FEED
      }
      const end = text.lastIndexOf(LINE_FEED, total - 1) + 1
      if (end === 0 && total < CHUNK_BYTES) {
        rest = text.subarray(0, total)
        continue
      }
      if (end === 0) {
        this.#tell({ offset })
        this.#end(slotState.tooLong)
        return
      }
      const isMarked = offset === 0 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf
      this.#scan(isMarked ? 3 : 0, end, offset)
      rest = text.subarray(end, total)
      offset += end
      if (read === 0) break
    }
    this.#end(slotState.ended)
  }

  /** A text may have more records than a slot holds at once. */
  #scan(from: number, end: number, offset: number): void {
    const { bytes } = this.#scanner
    const first = recordsAt(CHUNK_BYTES)
    for (let at = from; at < end;) {
      const { position, records } = this.#scanner.scan(at, end)
      this.#waitForSlot()
      const slot = new Uint8Array(this.#slots, this.#slot * recordsEnd(CHUNK_BYTES))
      if (at === from) slot.set(bytes.subarray(0, end))
      slot.set(bytes.subarray(first, first + records * 4), first)
      this.#tellTemplates()
      at = position
      const base = this.#slot * slotWord.count
      this.#control[base + slotWord.records] = records
      this.#control[base + slotWord.templates] = this.#version
      this.#control[base + slotWord.mebibytes] = Math.floor(offset / MIB)
      this.#control[base + slotWord.bytes] = offset % MIB
      this.#control[base + slotWord.isDone] = at >= end ? 1 : 0
      this.#publish(slotState.filled, at >= end)
    }
  }

  #tellTemplates(): void {
    const templates = this.#scanner.templates
    const told = JSON.stringify(templates)
    if (told === this.#told) return
    this.#told = told
    this.#version++
    this.#tell({ templates: [...templates] })
  }

  #publish(state: number, isSlotDone: boolean): void {
    const at = this.#slot * slotWord.count + slotWord.state
    Atomics.store(this.#control, at, state)
    Atomics.notify(this.#control, at)
    if (isSlotDone) this.#slot = (this.#slot + 1) % SCAN_SLOTS
  }

  #waitForSlot(): void {
    const at = this.#slot * slotWord.count + slotWord.state
    for (;;) {
      const state = Atomics.load(this.#control, at)
      if (state === slotState.free) return
      Atomics.wait(this.#control, at, state)
    }
  }

  #end(state: number): void {
    this.#waitForSlot()
    this.#publish(state, true)
  }

  #tell(news: ScanNews): void {
    this.#request.news.postMessage(news, [])
  }
}

parentPort?.on('message', (request: ScanRequest) => {
  new FileScan(request).run()
  request.news.close()
})
