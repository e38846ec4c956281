import { Bytes } from '../../../base/index.ts'
import { decodeText, fold, type Dictionary, type Value } from '../../../data/index.ts'
import type { DictionaryRecord } from '../../durable/manifest.ts'
import { DictionaryEntries, type StateDelta } from './dictionary-entries.ts'

const NO_CODES: readonly number[] = []

/**
 * Reads single entries of a stored dictionary whose entries are all texts. Results are `undefined` when the whole
 * dictionary should be loaded instead.
 */
export interface DictionaryPages {
  valueAt(code: number): string | undefined
  /** Returns the codes of entries with this folded text. */
  findFolded(folded: string): readonly number[] | undefined
}

/** The location of a dictionary in a file; it can be sent to another thread. */
export interface EncodedDictionary {
  readonly path: string
  /** The number of valid bytes of the file. */
  readonly bytes: number
  readonly field: string
  readonly records: readonly DictionaryRecord[]
}

/** A dictionary in a file. */
export interface StoredDictionary {
  /** The number of codes, including code 0. */
  readonly size: number
  /** Reads single entries; `undefined` when only the whole dictionary can be read. */
  readonly pages?: DictionaryPages | undefined
  /** The location, for other threads that need to read it. */
  readonly encoded?: EncodedDictionary | undefined
  /** Reads the whole dictionary. */
  read(): GrowingDictionary
}

/**
 * Assigns codes to distinct values. Its entries are in memory, or in a file until more than a few of them are needed.
 * Loading does not replace the object.
 */
export class GrowingDictionary implements Dictionary {
  /** Empty as long as the entries are in `#stored`. */
  #entries = new DictionaryEntries()
  #stored: StoredDictionary | undefined

  /**
   * Creates a dictionary whose entries are in a file. Few entries are read individually; an operation that needs more
   * loads all.
   */
  static stored(stored: StoredDictionary): GrowingDictionary {
    const made = new GrowingDictionary()
    made.store(stored)
    return made
  }

  /** Uses the entries of a stored dictionary. It must be called before any value is added. */
  store(stored: StoredDictionary): void {
    this.#stored = stored
  }

  /** The stored dictionary, until its entries are loaded. */
  get stored(): StoredDictionary | undefined {
    return this.#stored
  }

  /** Loads all entries if they are not in memory yet. Throws what reading them throws. */
  load(): void {
    if (this.#stored === undefined) return
    this.#entries = this.#stored.read().#entries
    this.#stored = undefined
  }

  /**
   * All entries, with the operations that find, add and forget values. Loads them if they are not in memory. Throws
   * what reading them throws.
   */
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

  /** The bytes of all buffers. */
  get memoryBytes(): number {
    return this.#entries.memoryBytes
  }

  /** Makes this a reader of a dictionary in another thread, up to `news`. Absent members do not change. */
  adopt(news: StateDelta): void {
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

  /** True if a code was forgotten; files get a placeholder for it. */
  isForgotten(code: number): boolean {
    return this.#entries.isForgotten(code)
  }
}
