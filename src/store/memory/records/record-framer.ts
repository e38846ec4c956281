import { Bytes, LINE_FEED } from '../../../base/index.ts'
import { utf8 } from '../../../data/index.ts'
import type { RecordSink } from './general-reader.ts'
import { MAX_RECORD_BYTES, SCANNER_TEXT_BYTES } from './tuning.ts'

/** Joins chunks of whole lines when a record continues in the next chunk, as a quoted cell of CSV may. */
export class RecordFramer {
  readonly #sink: RecordSink
  /** The bytes of an incomplete record. */
  #rest: Uint8Array[] = []
  #restBytes = 0
  /** Minimum size of the incomplete record, in bytes, before its end is searched again. */
  #lookAtBytes = 0
  #skipsLine = false

  /** Records that are too long are rejected through `sink`. */
  constructor(sink: RecordSink) {
    this.#sink = sink
  }

  /** True if the last record is incomplete. */
  get hasRest(): boolean {
    return this.#restBytes > 0 || this.#skipsLine
  }

  /**
   * Returns the bytes from the start of a record, without a UTF-8 byte order mark; `undefined` if more bytes are
   * needed.
   */
  push(chunk: Uint8Array): Bytes | undefined {
    const given = Bytes.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const bytes = this.#restBytes === 0 ? given : this.#withRest(given)
    if (bytes === undefined) return undefined
    if (!this.#skipsLine) return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
    const end = bytes.indexOf(LINE_FEED) + 1
    if (end === 0) return undefined
    this.#skipsLine = false
    this.#sink.lines++
    return bytes.subarray(end)
  }

  /** Stores the incomplete record at the end of the pushed bytes; `rest` is empty if all records are complete. */
  keep(rest: Uint8Array): void {
    if (rest.length > MAX_RECORD_BYTES) {
      const head = utf8(Bytes.from(rest.subarray(0, 480)), 0, Math.min(480, rest.length))
      this.#sink.reject(`longer than ${MAX_RECORD_BYTES} bytes; is a quote not closed?`, head)
      for (const byte of rest) if (byte === LINE_FEED) this.#sink.lines++
      // Parsing restarts after the next line break, as if no quote were open.
      this.#skipsLine = true
      return
    }
    this.#rest = rest.length === 0 ? [] : [Uint8Array.from(rest)]
    this.#restBytes = rest.length
    // Avoids parsing a long incomplete record again from its start for each chunk.
    this.#lookAtBytes = rest.length > SCANNER_TEXT_BYTES ? 2 * rest.length : 0
  }

  /** Returns the incomplete record at the end of an input; empty if there is none. */
  end(): Bytes {
    const rest = Bytes.concat(this.#rest)
    this.keep(rest.subarray(0, 0))
    return rest
  }

  #withRest(bytes: Bytes): Bytes | undefined {
    this.#rest.push(Uint8Array.from(bytes))
    this.#restBytes += bytes.length
    return this.#restBytes < this.#lookAtBytes ? undefined : this.end()
  }
}
