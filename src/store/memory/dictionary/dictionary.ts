import { Bytes } from '../../../base/index.ts'
import { decodeText, fold, type Dictionary, type Value } from '../../../data/index.ts'
import type { DictionaryRecord } from '../../durable/manifest.ts'
import { DictionaryEntries, type StateNews } from './dictionary-entries.ts'

const NO_CODES: readonly number[] = []

/** Few entries of a dictionary, all of them texts, read where they lie. `undefined` where that does not pay, or no longer. */
export interface DictionaryPages {
  valueAt(code: number): string | undefined
  /** Codes of entries whose folded text this is. */
  findFolded(folded: string): readonly number[] | undefined
}

/** Where a dictionary lies: names and numbers, for another thread. */
export interface ToldDictionary {
  readonly path: string
  /** Of the file, as far as it is in force. */
  readonly bytes: number
  readonly field: string
  readonly records: readonly DictionaryRecord[]
}

/** A dictionary that lies elsewhere. */
export interface StoredDictionary {
  /** Codes in use, code 0 included. */
  readonly size: number
  /** `undefined` where it can only be read whole. */
  readonly pages?: DictionaryPages | undefined
  /** What another thread needs to read it, too. */
  readonly told?: ToldDictionary | undefined
  /** All of it. */
  read(): GrowingDictionary
}

/**
 * Gives distinct values their codes. Its entries are in memory, or lie elsewhere until something asks for more than a few of
 * them; it is the same object before and after.
 */
export class GrowingDictionary implements Dictionary {
  /** Empty as long as `#stored` has them. */
  #entries = new DictionaryEntries()
  #stored: StoredDictionary | undefined

  /** One whose entries lie elsewhere. Few of them are read there; all come into memory for whatever needs more. */
  static stored(stored: StoredDictionary): GrowingDictionary {
    const made = new GrowingDictionary()
    made.store(stored)
    return made
  }

  /** Takes the entries of one that lies elsewhere; to be called before anything is added. */
  store(stored: StoredDictionary): void {
    this.#stored = stored
  }

  /** Where its entries lie as long as none of them is in memory. */
  get stored(): StoredDictionary | undefined {
    return this.#stored
  }

  /** Reads all entries where they are not in memory yet. Throws what reading them throws. */
  load(): void {
    if (this.#stored === undefined) return
    this.#entries = this.#stored.read().#entries
    this.#stored = undefined
  }

  /** All entries, read where they are not in memory yet: what looks up, adds and forgets values. Throws what reading them throws. */
  get entries(): DictionaryEntries {
    this.load()
    return this.#entries
  }

  get size(): number {
    return this.#stored === undefined ? this.#entries.size : this.#stored.size
  }

  get tags(): Uint8Array<ArrayBufferLike> {
    return this.entries.tags
  }

  get numbers(): Float64Array<ArrayBufferLike> {
    return this.entries.numbers
  }

  get bytes(): Bytes {
    return this.entries.bytes
  }

  get offsets(): Uint32Array<ArrayBufferLike> {
    return this.entries.offsets
  }

  get isInMemory(): boolean {
    return this.#stored === undefined
  }

  get isAllText(): boolean {
    return this.#stored?.pages !== undefined || this.entries.isAllText
  }

  /** Bytes of its buffers. */
  get memoryBytes(): number {
    return this.#entries.memoryBytes
  }

  /** Makes this the reader of a dictionary in another thread, from then on as far as `news` go. Members left out stay. */
  adopt(news: StateNews): void {
    this.#stored = undefined
    this.#entries.adopt(news)
  }

  valueAt(code: number): Value {
    if (this.#stored !== undefined) {
      const value = code > 0 && code < this.size ? this.#stored.pages?.valueAt(code) : null
      if (value !== undefined) return value
    }
    return this.entries.valueAt(code)
  }

  nonTextCodes(): readonly number[] {
    return this.#stored?.pages === undefined ? this.entries.nonTextCodes() : NO_CODES
  }

  findFolded(folded: string): readonly number[] {
    return this.#stored?.pages?.findFolded(folded) ?? this.entries.findFolded(folded)
  }

  codeOfText(bytes: Uint8Array, start: number, end: number): number {
    if (this.#stored !== undefined) {
      const text = decodeText(Bytes.from(bytes.subarray(start, end)), 0, end - start)
      const found = this.#stored.pages?.findFolded(fold(text))
      if (found !== undefined) return found.find((code) => this.valueAt(code) === text) ?? 0
    }
    return this.entries.codeOfText(bytes, start, end)
  }

  /** Whether a code is to be written as one that stands for nothing. */
  isForgotten(code: number): boolean {
    return this.#entries.isForgotten(code)
  }
}
