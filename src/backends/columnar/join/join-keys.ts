import {
  encodeText,
  hasBit,
  toText,
  valueAt,
  valueTag,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type TextColumn,
  type Value,
} from '../../../data/index.ts'
import type { Bytes } from '../../../base/index.ts'
import type { Frame } from '../frame.ts'
import { KeyTable, NO_KEY } from '../keys/key-table.ts'

/** Factor that packs two key numbers exactly into one double; a column has at most 2^26 keys. */
const PAIR_BASE = 2 ** 26
/** States of a dictionary entry in a lookup of keys. Any other value is the entry's key number plus two. */
const entryState = {
  /** The entry has not been looked up yet. */
  unknown: 0,
  /** The entry is not a key. This state minus two is `NO_KEY` as an unsigned number. */
  none: 1,
} as const
const nothing = encodeText('')

/**
 * Assigns or looks up the key numbers of one column. Looks up each dictionary entry once, however many rows and frames
 * contain it.
 */
class KeyColumn {
  readonly #table: KeyTable
  readonly #isInterning: boolean
  readonly #byCode = new Map<Dictionary, Uint32Array>()

  constructor(table: KeyTable, isInterning: boolean) {
    this.#table = table
    this.#isInterning = isInterning
  }

  get memoryBytes(): number {
    let bytes = 0
    for (const known of this.#byCode.values()) bytes += known.byteLength
    return bytes
  }

  /** Returns the key number of each row; `NO_KEY` when the value is not a key. */
  numbers(column: Column): Uint32Array {
    const { length } = column
    const numbers = new Uint32Array(length)
    if (column.kind === 'constant') return numbers.fill(length === 0 ? NO_KEY : this.#ofValue(column.value))
    if (column.kind === 'dictionary') return this.#ofCodes(column, numbers)
    if (column.kind === 'text') {
      for (let row = 0; row < length; row++) numbers[row] = this.#ofText(column, row)
    } else if (column.kind === 'gathered' && column.source.kind === 'text') {
      for (let row = 0; row < length; row++) numbers[row] = this.#ofText(column.source, column.rows[row])
    } else for (let row = 0; row < length; row++) numbers[row] = this.#ofValue(valueAt(column, row))
    return numbers
  }

  #ofCodes({ codes, dictionary, length }: DictionaryColumn, numbers: Uint32Array): Uint32Array {
    const known = this.#codesOf(dictionary)
    for (let row = 0; row < length; row++) {
      const code = codes[row]
      if (known[code] === entryState.unknown) known[code] = this.#ofEntry(dictionary, code)
      numbers[row] = known[code] - 2
    }
    return numbers
  }

  #codesOf(dictionary: Dictionary): Uint32Array {
    const known = this.#byCode.get(dictionary)
    if (known !== undefined && known.length >= dictionary.size) return known
    const wider = new Uint32Array(dictionary.size)
    if (known !== undefined) wider.set(known)
    this.#byCode.set(dictionary, wider)
    return wider
  }

  #ofEntry(dictionary: Dictionary, code: number): number {
    const { tags, bytes, offsets } = dictionary
    const key =
      tags[code] === valueTag.text
        ? this.#ofBytes(bytes, offsets[code], offsets[code + 1])
        : this.#ofValue(dictionary.valueAt(code))
    return key === NO_KEY ? entryState.none : key + 2
  }

  #ofText({ bytes, offsets, validity }: TextColumn, row: number): number {
    // A missing value is the same key as `''`.
    if (validity !== undefined && !hasBit(validity, row)) return this.#ofBytes(nothing, 0, 0)
    return this.#ofBytes(bytes, offsets[row], offsets[row + 1])
  }

  #ofBytes(bytes: Bytes, start: number, end: number): number {
    return this.#isInterning ? this.#table.intern(bytes, start, end) : this.#table.find(bytes, start, end)
  }

  #ofValue(value: Value): number {
    const bytes = encodeText(toText(value))
    return this.#ofBytes(bytes, 0, bytes.length)
  }
}

/**
 * The distinct keys of the side that is held in memory. Rows of the other side are matched by the text of their values.
 */
export class BuiltKeys {
  readonly #tables: readonly KeyTable[]
  /**
   * For each key column after the first: numbers of pairs. A pair consists of the number for all previous columns and
   * this column's number.
   */
  readonly #pairs: readonly Map<number, number>[]

  constructor(keyCount: number) {
    this.#tables = Array.from({ length: keyCount }, () => new KeyTable())
    this.#pairs = Array.from({ length: Math.max(0, keyCount - 1) }, () => new Map<number, number>())
  }

  get size(): number {
    return this.#pairs.at(-1)?.size ?? this.#tables[0]?.size ?? 0
  }

  /** Estimated bytes of memory. A pair in a map takes about forty bytes. */
  get memoryBytes(): number {
    const tables = this.#tables.reduce((sum, table) => sum + table.memoryBytes, 0)
    return this.#pairs.reduce((sum, pairs) => sum + 40 * pairs.size, tables)
  }

  /**
   * Returns a reader that finds the key numbers of one side's rows. With `isInterning`, which the side held in memory
   * uses, new keys get numbers.
   */
  reader(names: readonly string[], isInterning: boolean): KeyReader {
    return new KeyReader(names, this.#tables, this.#pairs, isInterning)
  }
}

/** Converts the key columns of one side's frames to key numbers. */
export class KeyReader {
  readonly #names: readonly string[]
  readonly #columns: readonly KeyColumn[]
  readonly #pairs: readonly Map<number, number>[]
  readonly #isInterning: boolean

  constructor(
    names: readonly string[],
    tables: readonly KeyTable[],
    pairs: readonly Map<number, number>[],
    isInterning: boolean,
  ) {
    this.#names = names
    this.#columns = tables.map((table) => new KeyColumn(table, isInterning))
    this.#pairs = pairs
    this.#isInterning = isInterning
  }

  get memoryBytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.memoryBytes, 0)
  }

  /** Returns the key number of each row; `NO_KEY` when the side held in memory lacks the key. */
  numbers(frame: Frame): Uint32Array {
    const [first, ...rest] = this.#columns.map((keys, i) => keys.numbers(frame.column(this.#names[i])))
    if (first === undefined) return new Uint32Array(frame.rowCount).fill(NO_KEY)
    rest.forEach((next, step) => this.#combine(first, next, this.#pairs[step]))
    return first
  }

  #combine(numbers: Uint32Array, next: Uint32Array, pairs: Map<number, number>): void {
    for (let row = 0; row < numbers.length; row++) {
      if (numbers[row] === NO_KEY || next[row] === NO_KEY) {
        numbers[row] = NO_KEY
        continue
      }
      const pair = numbers[row] * PAIR_BASE + next[row]
      let number = pairs.get(pair)
      if (number === undefined) {
        number = this.#isInterning ? pairs.size : NO_KEY
        if (this.#isInterning) pairs.set(pair, number)
      }
      numbers[row] = number
    }
  }
}
