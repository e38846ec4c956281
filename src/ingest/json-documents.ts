import { BACKSLASH, Bytes, COMMA, LINE_FEED, QUOTE, SPACE } from '../base/index.ts'
import { utf8 } from '../data/index.ts'
import { MAX_RECORD_BYTES } from '../store/index.ts'

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === LINE_FEED || byte === 0x0d
}

/**
 * Converts JSON documents of any layout to lines of JSON. Each object and each item of an array becomes a line, so an
 * input of any length is read record by record. Only brackets and quotes are examined; the reader of the lines checks
 * that each line is JSON.
 */
export class JsonDocuments {
  readonly #onBad: (reason: string, excerpt: string) => void
  #out: Bytes = Bytes.alloc(0)
  #length = 0
  /** The length of the complete lines in the output buffer. */
  #whole = 0
  #depth = 0
  #isInText = false
  #isEscaped = false
  #isInArray = false
  #isDropping = false
  #position = 0

  constructor(onBad: (reason: string, excerpt: string) => void) {
    this.#onBad = onBad
  }

  /** Returns the lines that end in this chunk. The returned bytes are valid until the next call. */
  push(chunk: Uint8Array): Uint8Array {
    this.#makeRoom(chunk.length)
    const first = this.#position === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0
    for (let i = first; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0
      if (this.#isInText) this.#text(byte)
      else this.#outside(byte)
    }
    this.#position += chunk.length
    if (this.#length - this.#whole > MAX_RECORD_BYTES && !this.#isDropping) {
      this.#onBad(`longer than ${MAX_RECORD_BYTES} bytes`, this.#excerpt())
      this.#isDropping = true
    }
    if (this.#isDropping) this.#length = this.#whole
    return this.#out.subarray(0, this.#whole)
  }

  /** Returns the last line. Reports a record or list that is not closed. */
  end(): Uint8Array {
    this.#makeRoom(2)
    if (this.#depth === 0 && !this.#isInText) this.#endRecord()
    else if (!this.#isDropping) this.#onBad('the document ends within a record', this.#excerpt())
    if (this.#depth === 0 && this.#isInArray) this.#onBad('the list is not closed', '')
    return this.#out.subarray(0, this.#whole)
  }

  #excerpt(): string {
    return utf8(this.#out, this.#whole, Math.min(this.#length, this.#whole + 480)).slice(0, 120)
  }

  /**
   * Moves the incomplete line to the front of the buffer and makes room for a chunk. Each byte of the chunk produces at
   * most itself and a line end.
   */
  #makeRoom(bytes: number): void {
    const rest = this.#length - this.#whole
    const needed = rest + bytes * 2 + 2
    if (this.#out.length >= needed) this.#out.copyWithin(0, this.#whole, this.#length)
    else {
      const wider = Bytes.allocUnsafe(Math.max(needed, this.#out.length * 2))
      this.#out.copy(wider, 0, this.#whole, this.#length)
      this.#out = wider
    }
    this.#length = rest
    this.#whole = 0
  }

  #text(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isInText = false
    // JSON strings cannot contain a line end. A vertical tab replaces it, so the record stays one line, which its
    // reader rejects.
    this.#put(byte === LINE_FEED ? 0x0b : byte)
  }

  #outside(byte: number): void {
    if (isBlank(byte)) {
      if (this.#depth === 0 && !this.#isInArray && byte === LINE_FEED) this.#endRecord()
      else if (this.#length > this.#whole && this.#out[this.#length - 1] !== SPACE) this.#put(SPACE)
      return
    }
    if (this.#depth === 0) {
      const isFirst = this.#length === this.#whole && !this.#isDropping
      if (this.#isInArray && (byte === COMMA || byte === 0x5d)) {
        this.#endRecord()
        if (byte === 0x5d) this.#isInArray = false
        return
      }
      if (!this.#isInArray && isFirst && byte === 0x5b) {
        this.#isInArray = true
        return
      }
      // A comma between documents is skipped.
      if (!this.#isInArray && isFirst && byte === COMMA) return
    }
    this.#put(byte)
    if (byte === QUOTE) this.#isInText = true
    else if (byte === 0x7b || byte === 0x5b) this.#depth++
    else if ((byte === 0x7d || byte === 0x5d) && this.#depth > 0 && --this.#depth === 0 && !this.#isInArray)
      this.#endRecord()
  }

  #put(byte: number): void {
    this.#out[this.#length++] = byte
  }

  #endRecord(): void {
    if (this.#isDropping) {
      this.#isDropping = false
      this.#length = this.#whole
    } else if (this.#length > this.#whole) {
      this.#put(LINE_FEED)
      this.#whole = this.#length
    }
  }
}

/** Matches the end of a line after which an object or list continues. */
const GOES_ON = /[{[,:]$/

/**
 * True if a text is a JSON array of records or an object of several lines, and therefore not JSON lines. Returns
 * `undefined` when more text is needed.
 */
export function beginsJsonDocument(text: string, isWhole: boolean): boolean | undefined {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (/^\[\s*(\{|\])/.test(start)) return true
  const [first = '', second] = start
    .split('\n', 50)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if ((!first.startsWith('{') && first !== '[') || !GOES_ON.test(first)) return false
  if (second === undefined) return isWhole ? false : undefined
  // In JSON lines, the line after an invalid line begins another object.
  return !second.startsWith('{') || /[[:]$/.test(first)
}
