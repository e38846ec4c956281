import { work, checkpoint, type Bytes } from '../../../base/index.ts'
import { valueTag, type Column, type Dictionary, type DictionaryColumn } from '../../../data/index.ts'
import { NO_KEY, NONE, type KeyIndex } from '../keys/key-table.ts'
import { LookUpFilter, NOT_ASKED, NOT_THERE, translationOf, type Translation } from './translation.ts'

/** A dictionary may have so many times more entries than the built side has rows; beyond that hashing them is cheaper. */
const MOST_ENTRIES_A_ROW = 16
/** Smaller ones are never too large. */
const FEW_ENTRIES = 65_536
/** Entries whose keys are noted together: their codes are neighbours in memory. */
const NOTED = 256
/** Keys that are looked up by one call of a loop; few, since a loop that begins anew often is compiled sooner. */
const LOOKED_UP = 1024

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

  noteAround(dictionary: Dictionary, code: number, known: Uint32Array): void {
    if (dictionary === this.#dictionary) return
    const numbers = this.#numbers
    const { offsets } = dictionary
    const codes = this.#translation(dictionary).codes
    if (code >= codes.length || codes[code] === NOT_ASKED) return
    const from = code - (code % NOTED)
    const to = Math.min(from + NOTED, codes.length, known.length)
    for (let i = from; i < to; i++) {
      const own = codes[i]
      // What is empty is the key of what is missing, whatever its code.
      if (own === NOT_ASKED || offsets[i] === offsets[i + 1]) continue
      const number = own === NOT_THERE || own >= numbers.length ? 0 : numbers[own]
      known[i] = number === 0 ? NONE : number + 1
    }
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
    const entries = new Uint32Array(LOOKED_UP)
    const filter = new LookUpFilter(this.#dictionary, dictionary.size)
    for (let from = 1; from < known.length; from += LOOKED_UP) {
      const count = Math.min(LOOKED_UP, known.length - from)
      for (let i = 0; i < count; i++) entries[i] = from + i
      translation.lookUp(dictionary, entries.subarray(0, count), filter)
      const { codes } = translation
      for (let code = from; code < from + count; code++) {
        const own = codes[code]
        // What is not there is beyond all codes.
        if (own < numbers.length && numbers[own] !== 0) known[code] = numbers[own] + 1
      }
      work(LOOKED_UP)
      checkpoint()
    }
    filter.release()
  }

  #noteKeys(dictionary: Dictionary, known: Uint32Array): void {
    const numbers = this.#numbers
    const isOwn = dictionary === this.#dictionary
    const there = isOwn ? undefined : translationOf(dictionary, this.#dictionary)
    if (there !== undefined) this.#backward.add(there)
    const keys = new Uint32Array(LOOKED_UP)
    const filter = new LookUpFilter(dictionary, this.#size)
    for (let code = 1; code < numbers.length;) {
      let count = 0
      for (; code < numbers.length && count < LOOKED_UP; code++) {
        keys[count] = code
        if (numbers[code] !== 0) count++
      }
      const some = keys.subarray(0, count)
      there?.lookUp(this.#dictionary, some, filter)
      const codes = there?.codes
      for (let i = 0; i < count; i++) {
        const key = some[i]
        const own = codes === undefined ? key : codes[key]
        // What is not there is beyond all codes.
        if (own < known.length) known[own] = numbers[key] + 1
      }
      work(LOOKED_UP)
      checkpoint()
    }
    filter.release()
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
