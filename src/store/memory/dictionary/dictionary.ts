import { Bytes } from '../../../base/index.ts'
import { decodeText, fold, type Dictionary, type Value } from '../../../data/index.ts'
import type { DictionaryRecord } from '../../durable/manifest.ts'
import { DictionaryEntries, type StateDelta } from './dictionary-entries.ts'

const NO_CODES: readonly number[] = []

/**
 * Reads single entries of a stored dictionary that has only texts. A result of `undefined` means that the caller should
 * load the whole dictionary instead.
 */
export interface DictionaryPages {
  valueAt(code: number): string | undefined
  /** Returns the codes of all entries whose folded text is `folded`. */
  findFolded(folded: string): readonly number[] | undefined
}

/** The location of a dictionary in a file, as a message to another thread. */
export interface EncodedDictionary {
  readonly path: string
  /** The length of the file up to its last valid record, in bytes. */
  readonly bytes: number
  readonly field: string
  readonly records: readonly DictionaryRecord[]
}

/** A dictionary in a file. */
export interface StoredDictionary {
  /** The number of codes, including code 0. */
  readonly size: number
  /** Reads single entries; `undefined` if the dictionary can only be read whole. */
  readonly pages?: DictionaryPages | undefined
  /** The location in a file, so that other threads can read the dictionary. */
  readonly encoded?: EncodedDictionary | undefined
  /** Reads the whole dictionary. */
  read(): GrowingDictionary
}

/**
 * Assigns codes to distinct values. The entries are in memory, or in a file until more than a few are needed. Loading
 * them keeps this object, so references to it stay valid.
 */
export class GrowingDictionary implements Dictionary {
  /** The entries in memory; empty while the dictionary is in a file (`#stored`). */
  #entries = new DictionaryEntries()
  #stored: StoredDictionary | undefined

  /**
   * Returns a dictionary whose entries are in a file. Few entries are read one by one; an operation that needs more
   * loads all.
   */
  static stored(stored: StoredDictionary): GrowingDictionary {
    const made = new GrowingDictionary()
    made.store(stored)
    return made
  }

  /** Continues with the entries of a stored dictionary. Must be called before any value is added. */
  store(stored: StoredDictionary): void {
    this.#stored = stored
  }

  /** The stored dictionary; `undefined` once its entries are loaded. */
  get stored(): StoredDictionary | undefined {
    return this.#stored
  }

  /** Loads all entries if they are not in memory. Throws the errors of reading the file. */
  load(): void {
    if (this.#stored === undefined) return
    this.#entries = this.#stored.read().#entries
    this.#stored = undefined
  }

  /**
   * All entries, with the operations that find, add and remove values. Loads the entries if they are not in memory.
   * Throws the errors of reading the file.
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

  /** Memory of all buffers, bytes. */
  get memoryBytes(): number {
    return this.#entries.memoryBytes
  }

  /**
   * Makes this object a reader of a dictionary of another thread and applies changes. Absent members stay as they are.
   */
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

  /** True if the value of a code was removed; files get a placeholder for it. */
  isForgotten(code: number): boolean {
    return this.#entries.isForgotten(code)
  }
}
