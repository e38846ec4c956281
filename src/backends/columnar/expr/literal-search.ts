import { Bytes } from '../../../base/index.ts'
import { foldByte } from '../../../store/index.ts'
import { byteRarity } from '../kernels/byte-rarity.ts'

/**
 * Returns the case bits of a little-endian word of bytes: for each byte that is a letter, the bit that distinguishes
 * lower from upper case.
 */
function caseBits(word: readonly number[]): number {
  return word.reduce((bits, byte, i) => bits | (byte >= 97 && byte <= 122 ? 0x20 << (i * 8) : 0), 0)
}

/**
 * Finds an ASCII literal in bytes, optionally regardless of ASCII case. If case is ignored, the bytes must be ASCII
 * too, since a few other characters become ASCII in lower case.
 */
export class LiteralSearch {
  readonly length: number
  readonly #needle: Uint8Array
  readonly #isFolded: boolean
  readonly #probe: number
  readonly #rare: number
  readonly #rareUpper: number
  /**
   * The literal as words of four bytes; the last word may overlap the one before. For each word: its start, its bits
   * and its case bits.
   */
  readonly #wordStarts: Int32Array
  readonly #words: Int32Array
  readonly #caseBits: Int32Array
  #viewed: Uint8Array | undefined
  #view: DataView = new DataView(new ArrayBuffer(0))

  /** `text` is the literal: non-empty ASCII, in lower case if the search ignores case. */
  constructor(text: string, isFolded: boolean) {
    this.#needle = Bytes.from(text, 'latin1')
    this.length = this.#needle.length
    this.#isFolded = isFolded
    let probe = 0
    for (let i = 1; i < this.length; i++) {
      if (byteRarity[this.#needle[i]] > byteRarity[this.#needle[probe]]) probe = i
    }
    this.#probe = probe
    this.#rare = this.#needle[probe]
    const isLetter = this.#rare >= 97 && this.#rare <= 122
    this.#rareUpper = isFolded && isLetter ? this.#rare - 32 : this.#rare
    const wordCount = this.length < 4 ? 0 : Math.ceil(this.length / 4)
    this.#wordStarts = new Int32Array(wordCount)
    this.#words = new Int32Array(wordCount)
    this.#caseBits = new Int32Array(wordCount)
    for (let i = 0; i < wordCount; i++) {
      const start = Math.min(i * 4, this.length - 4)
      const word = [...this.#needle.subarray(start, start + 4)]
      this.#wordStarts[i] = start
      this.#words[i] = word.reduce((bits, byte, k) => bits | (byte << (k * 8)), 0)
      this.#caseBits[i] = isFolded ? caseBits(word) : 0
    }
  }

  /**
   * Returns the first position at or after `from` where the literal occurs and ends at or before `end`; -1 when there
   * is none.
   */
  find(bytes: Uint8Array, from: number, end: number): number {
    const last = end - this.length + this.#probe
    for (let i = from + this.#probe; i <= last; i++) {
      const byte = bytes[i]
      if ((byte === this.#rare || byte === this.#rareUpper) && this.isAt(bytes, i - this.#probe)) return i - this.#probe
    }
    return -1
  }

  /**
   * True if the literal occurs at position `at`. The caller must check that the literal does not extend beyond the
   * bytes.
   */
  isAt(bytes: Uint8Array, at: number): boolean {
    const words = this.#words
    if (words.length === 0) return this.#isShortAt(bytes, at)
    if (this.#viewed !== bytes) {
      this.#viewed = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    const view = this.#view
    for (let i = 0; i < words.length; i++) {
      if ((view.getInt32(at + this.#wordStarts[i], true) | this.#caseBits[i]) !== words[i]) return false
    }
    return true
  }

  #isShortAt(bytes: Uint8Array, at: number): boolean {
    const needle = this.#needle
    for (let i = 0; i < needle.length; i++) {
      const byte = bytes[at + i]
      if ((this.#isFolded ? foldByte[byte] : byte) !== needle[i]) return false
    }
    return true
  }
}
