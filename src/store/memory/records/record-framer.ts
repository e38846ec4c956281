import { Bytes } from '../../../base/index.ts'
import { utf8 } from '../../../data/index.ts'
import type { RecordSink } from './general-reader.ts'
import { MAX_RECORD_BYTES, SCANNER_TEXT_BYTES } from './tuning.ts'

const LINE_FEED = 10

/** Puts pieces of whole lines together where a record goes on in the next piece, as a quoted cell may. */
export class RecordFramer {
  readonly #sink: RecordSink
  /** A record that has not ended yet. */
  #rest: Uint8Array[] = []
  #restBytes = 0
  /** The size of the rest at which its end is looked for again. */
  #lookAtBytes = 0
  #skipsLine = false

  /** Records that are too long are rejected. */
  constructor(sink: RecordSink) {
    this.#sink = sink
  }

  /** Whether a record goes on behind what was pushed. */
  get hasRest(): boolean {
    return this.#restBytes > 0 || this.#skipsLine
  }

  /** The bytes from the beginning of a record on, without the mark that UTF-8 may begin with; `undefined` where more have to come. */
  push(piece: Uint8Array): Bytes | undefined {
    const given = Bytes.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const bytes = this.#restBytes === 0 ? given : this.#withRest(given)
    if (bytes === undefined) return undefined
    if (!this.#skipsLine) return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
    const end = bytes.indexOf(LINE_FEED) + 1
    if (end === 0) return undefined
    this.#skipsLine = false
    this.#sink.lines++
    return bytes.subarray(end)
  }

  /** Takes what of pushed bytes is no whole record; nothing where all are. */
  keep(rest: Uint8Array): void {
    if (rest.length > MAX_RECORD_BYTES) {
      const head = utf8(Bytes.from(rest.subarray(0, 480)), 0, Math.min(480, rest.length))
      this.#sink.reject(`longer than ${MAX_RECORD_BYTES} bytes; is a quote not closed?`, head)
      for (const byte of rest) if (byte === LINE_FEED) this.#sink.lines++
      // What follows the next line end is read as if no quote were open.
      this.#skipsLine = true
      return
    }
    this.#rest = rest.length === 0 ? [] : [Uint8Array.from(rest)]
    this.#restBytes = rest.length
    // A long record is not read from its beginning again for each piece of it.
    this.#lookAtBytes = rest.length > SCANNER_TEXT_BYTES ? 2 * rest.length : 0
  }

  /** What is left at the end of an input: a record that does not end, or nothing. */
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
