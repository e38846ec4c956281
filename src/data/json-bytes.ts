import type { Bytes } from '../base/index.ts'

/** Longer texts are encoded by the runtime, shorter ones by a loop that takes less time than the call. */
const SHORT_CHARS = 64

const FIRST_BYTES = 4096
/** Memory of one long row is not kept. */
const KEPT_BYTES = 2 ** 20

/** By byte, how it stands between the quotes of a text: 0 as it is, `VALUE` as the whole value tells, else behind a backslash as this letter. */
const escapes = new Uint8Array(256)
const VALUE = 1
const BACKSLASH = 0x5c
const QUOTE = 0x22
escapes.fill(VALUE, 0, 0x20)
escapes.fill(VALUE, 0x80)
for (const pair of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\']) escapes[pair.charCodeAt(0)] = pair.charCodeAt(1)

const encoder = new TextEncoder()

/** Bytes that are written again and again, four to a word; those behind the last are overwritten. In an array, as there are many of a few words. */
export interface JsonPiece {
  readonly words: readonly number[]
  readonly length: number
}

/** JSON as UTF-8, put together piece by piece in memory that is used again for the next text. */
export class JsonBytes {
  #bytes = new Uint8Array(FIRST_BYTES)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Forgets what was written behind the first `length` bytes. */
  cut(length: number): void {
    this.#length = length
  }

  clear(): void {
    this.#length = 0
    if (this.#bytes.length > KEPT_BYTES) this.#take(new Uint8Array(FIRST_BYTES))
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }

  /** What was written, until more is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** What was written from `start` on, to be written again. */
  pieceFrom(start: number): JsonPiece {
    const length = this.#length - start
    this.#room(4)
    const words: number[] = []
    for (let at = start; at < this.#length; at += 4) words.push(this.#view.getInt32(at))
    return { words, length }
  }

  /** Memory for so many bytes more. */
  #room(count: number): Uint8Array {
    const needed = this.#length + count
    if (needed > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      longer.set(this.written)
      this.#take(longer)
    }
    return this.#bytes
  }

  byte(byte: number): void {
    this.#room(1)[this.#length++] = byte
  }

  setByte(at: number, byte: number): void {
    this.#bytes[at] = byte
  }

  /** Words at any place: calls that copy take longer than this loop, and so does one over bytes. */
  add({ words, length }: JsonPiece): void {
    this.#room(words.length * 4)
    const view = this.#view
    const at = this.#length
    for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i])
    this.#length = at + length
  }

  text(text: string): void {
    if (text.length <= SHORT_CHARS && this.#ascii(text)) return
    for (let rest = text; rest !== '';) {
      // Room for a character of four bytes at least; most texts have one byte for each.
      const bytes = this.#room(Math.max(rest.length, 4))
      const { read, written } = encoder.encodeInto(rest, bytes.subarray(this.#length))
      this.#length += written
      rest = rest.slice(read)
    }
  }

  /** False, with nothing written, for a text with other characters. */
  #ascii(text: string): boolean {
    const bytes = this.#room(text.length)
    const at = this.#length
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i)
      if (char >= 0x80) return false
      bytes[at + i] = char
    }
    this.#length = at + text.length
    return true
  }

  /** An integer from 0 on below 100, in two digits. */
  twoDigits(number: number): void {
    const bytes = this.#room(2)
    const tens = (number / 10) | 0
    bytes[this.#length++] = 48 + tens
    bytes[this.#length++] = 48 + number - tens * 10
  }

  /** An integer from 0 on below 1,000, in three digits. */
  threeDigits(number: number): void {
    const bytes = this.#room(3)
    const tens = (number / 10) | 0
    const hundreds = (tens / 10) | 0
    bytes[this.#length++] = 48 + hundreds
    bytes[this.#length++] = 48 + tens - hundreds * 10
    bytes[this.#length++] = 48 + number - tens * 10
  }

  /** The text `[start, end)` of ASCII bytes in quotes; false, with nothing written, where it has something that only its value tells how to write. */
  quoted(from: Bytes, start: number, end: number): boolean {
    const bytes = this.#room((end - start) * 2 + 2)
    const first = this.#length + 1
    const last = first + end - start
    from.copy(bytes, first, start, end)
    // Looked at where they were copied to: memory of many kinds, some of it shared, would be read at half the speed.
    let found = 0
    for (let i = first; i < last; i++) found |= escapes[bytes[i]]
    if (found !== 0) return this.#escaped(from, start, end)
    bytes[first - 1] = QUOTE
    bytes[last] = QUOTE
    this.#length = last + 1
    return true
  }

  #escaped(from: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = QUOTE
    for (let i = start; i < end; i++) {
      const byte = from[i]
      const escape = escapes[byte]
      if (escape === 0) bytes[at++] = byte
      else if (escape === VALUE) return false
      else {
        bytes[at++] = BACKSLASH
        bytes[at++] = escape
      }
    }
    bytes[at++] = QUOTE
    this.#length = at
    return true
  }
}

const scratch = new JsonBytes()

export function jsonPiece(text: string): JsonPiece {
  scratch.cut(0)
  scratch.text(text)
  return scratch.pieceFrom(0)
}
