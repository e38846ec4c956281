import { work, type Bytes } from '../../../base/index.ts'
import { valueTag, type Column, type Dictionary, type DictionaryColumn } from '../../../data/index.ts'
import { NO_KEY, NONE, type KeyIndex } from '../keys/key-table.ts'
import { translationOf, type Translation } from './translation.ts'

/** A dictionary may have so many times more entries than the built side has rows; beyond that hashing them is cheaper. */
const MOST_ENTRIES_A_ROW = 16
/** Smaller ones are never too large. */
const FEW_ENTRIES = 65_536
/** Cost of one entry that is looked up in another dictionary, in units of `work`. */
const LOOK_UP_WORK = 2

/**
 * Keys of a built side that are texts of one dictionary: a code says which key it is, and entries of other dictionaries
 * are translated to codes of this one.
 */
export class CodeTable implements KeyIndex {
  readonly #dictionary: Dictionary
  /** By code: the number of its key and one more, 0 for none. Entries that come later are not keys. */
  readonly #numbers: Uint32Array
  readonly #translations = new Map<Dictionary, Translation>()
  /** From codes of this one to those of others. */
  readonly #backward = new Set<Translation>()
  #size = 0
  /** The number of the key that missing values and `''` share and one more, 0 for none. */
  #empty = 0

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary
    this.#numbers = new Uint32Array(dictionary.size)
  }

  /** `undefined` when the columns are not codes of one dictionary, or that has too many others. */
  static of(columns: readonly Column[]): CodeTable | undefined {
    let dictionary: Dictionary | undefined
    let rows = 0
    for (const column of columns) {
      rows += column.length
      if (column.kind === 'constant' && column.value === null) continue
      if (column.kind !== 'dictionary' || (dictionary ?? column.dictionary) !== column.dictionary) return undefined
      dictionary = column.dictionary
    }
    // A number and a text may be one key, but have two codes.
    if (dictionary?.isAllText !== true || dictionary.size > rows * MOST_ENTRIES_A_ROW + FEW_ENTRIES) return undefined
    return new CodeTable(dictionary)
  }

  get size(): number {
    return this.#size
  }

  /** Translations count for whoever uses them, though they are kept for the next query. */
  get memoryBytes(): number {
    let bytes = this.#numbers.byteLength
    for (const translation of this.#translations.values()) bytes += translation.memoryBytes
    for (const translation of this.#backward) bytes += translation.memoryBytes
    return bytes
  }

  find(bytes: Bytes, start: number, end: number): number {
    if (start === end) return this.#empty === 0 ? NO_KEY : this.#empty - 1
    return this.#numberOf(this.#dictionary.codeOfText(bytes, start, end))
  }

  intern(bytes: Bytes, start: number, end: number): number {
    if (start === end) return this.#internEmpty()
    return this.#intern(this.#dictionary.codeOfText(bytes, start, end))
  }

  findEntry(dictionary: Dictionary, code: number): number {
    if (dictionary === this.#dictionary) return this.#numberOf(code)
    return this.#numberOf(this.#translation(dictionary).codeOf(dictionary, code))
  }

  internCodes({ codes, dictionary, length }: DictionaryColumn, numbers: Uint32Array): boolean {
    if (dictionary !== this.#dictionary) return false
    const byCode = this.#numbers
    const [empty = 0] = dictionary.findFolded('')
    for (let row = 0; row < length; row++) {
      const code = codes[row]
      if (code === 0 || code === empty) numbers[row] = this.#internEmpty()
      else if (code >= byCode.length) numbers[row] = NO_KEY
      else {
        let number = byCode[code]
        if (number === 0) byCode[code] = number = ++this.#size
        numbers[row] = number - 1
      }
    }
    return true
  }

  noteAll(dictionary: Dictionary, known: Uint32Array, rowCount: number): boolean {
    if (!dictionary.isAllText || Math.min(this.#size, dictionary.size) > rowCount) return false
    known.fill(NONE)
    if (this.#size > dictionary.size) this.#noteEntries(dictionary, known)
    else this.#noteKeys(dictionary, known)
    // What is missing and '' are one key, whatever its code.
    const empty = this.#empty === 0 ? NONE : this.#empty + 1
    for (const code of [0, ...dictionary.findFolded('')]) known[code] = empty
    return true
  }

  #noteEntries(dictionary: Dictionary, known: Uint32Array): void {
    const numbers = this.#numbers
    const translation = this.#translation(dictionary)
    for (let code = 1; code < known.length; code++) {
      work(LOOK_UP_WORK)
      const own = translation.codeOf(dictionary, code)
      if (own < numbers.length && numbers[own] !== 0) known[code] = numbers[own] + 1
    }
  }

  #noteKeys(dictionary: Dictionary, known: Uint32Array): void {
    const numbers = this.#numbers
    const there = dictionary === this.#dictionary ? undefined : translationOf(dictionary, this.#dictionary)
    if (there !== undefined) this.#backward.add(there)
    for (let code = 1; code < numbers.length; code++) {
      if (numbers[code] === 0) continue
      work(LOOK_UP_WORK)
      const own = there === undefined ? code : there.codeOf(this.#dictionary, code)
      if (own !== 0 && own < known.length) known[own] = numbers[code] + 1
    }
  }

  #translation(dictionary: Dictionary): Translation {
    let translation = this.#translations.get(dictionary)
    if (translation === undefined) {
      translation = translationOf(this.#dictionary, dictionary)
      this.#translations.set(dictionary, translation)
    }
    return translation
  }

  internEntry(dictionary: Dictionary, code: number): number {
    return dictionary === this.#dictionary ? this.#intern(code) : NO_KEY
  }

  #internEmpty(): number {
    if (this.#empty === 0) this.#empty = ++this.#size
    return this.#empty - 1
  }

  #numberOf(code: number): number {
    const number = code < this.#numbers.length ? this.#numbers[code] : 0
    return number === 0 ? NO_KEY : number - 1
  }

  #intern(code: number): number {
    if (code === 0 || code >= this.#numbers.length || this.#dictionary.tags[code] !== valueTag.text) return NO_KEY
    if (this.#numbers[code] === 0) this.#numbers[code] = ++this.#size
    return this.#numbers[code] - 1
  }
}
