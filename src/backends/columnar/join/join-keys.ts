import {
  encodeText,
  hasBit,
  isEmptyValue,
  toText,
  valueAt,
  valueTag,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type TextColumn,
  type Value,
} from '../../../data/index.ts'
import type { Frame } from '../frame.ts'
import { KeyTable, NO_KEY } from './key-table.ts'

const LANE = 2 ** 26
const UNKNOWN = -1
const NONE = -2

/** Numbers the keys of one column; a dictionary's entries are looked up once, however many rows and frames hold them. */
class KeyColumn {
  readonly table: KeyTable
  readonly #isInterning: boolean
  readonly #byCode = new Map<Dictionary, Int32Array>()
  #codeBytes = 0

  constructor(table: KeyTable, isInterning: boolean) {
    this.table = table
    this.#isInterning = isInterning
  }

  get memoryBytes(): number {
    return this.#codeBytes
  }

  /** Per row the number of its key; `NO_KEY` where it is empty or not known. */
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
      let key = known[code]
      if (key === UNKNOWN) {
        key = this.#ofEntry(dictionary, code)
        known[code] = key
      }
      numbers[row] = key === NONE ? NO_KEY : key
    }
    return numbers
  }

  #codesOf(dictionary: Dictionary): Int32Array {
    let known = this.#byCode.get(dictionary)
    if (known === undefined || known.length < dictionary.size) {
      const wider = new Int32Array(dictionary.size).fill(UNKNOWN)
      if (known !== undefined) wider.set(known)
      this.#codeBytes += 4 * (wider.length - (known?.length ?? 0))
      known = wider
      this.#byCode.set(dictionary, known)
    }
    return known
  }

  #ofEntry(dictionary: Dictionary, code: number): number {
    if (dictionary.tags[code] !== valueTag.text) return this.#signed(this.#ofValue(dictionary.valueAt(code)))
    return this.#signed(this.#ofBytes(dictionary.bytes, dictionary.offsets[code], dictionary.offsets[code + 1]))
  }

  #signed(key: number): number {
    return key === NO_KEY ? NONE : key
  }

  #ofText({ bytes, offsets, validity }: TextColumn, row: number): number {
    if (validity !== undefined && !hasBit(validity, row)) return NO_KEY
    return this.#ofBytes(bytes, offsets[row], offsets[row + 1])
  }

  #ofBytes(bytes: Buffer, start: number, end: number): number {
    if (start === end) return NO_KEY
    return this.#isInterning ? this.table.intern(bytes, start, end) : this.table.find(bytes, start, end)
  }

  #ofValue(value: Value): number {
    if (isEmptyValue(value)) return NO_KEY
    const bytes = encodeText(toText(value))
    return this.#ofBytes(bytes, 0, bytes.length)
  }
}

/** Keys of the side that is built: known to the other side by the text of their values. */
export class BuiltKeys {
  readonly #tables: readonly KeyTable[]
  /** Per step from two keys on: the number of a pair of numbers. */
  readonly #pairs: readonly Map<number, number>[]

  constructor(keyCount: number) {
    this.#tables = Array.from({ length: keyCount }, () => new KeyTable())
    this.#pairs = Array.from({ length: Math.max(0, keyCount - 1) }, () => new Map<number, number>())
  }

  get size(): number {
    return this.#pairs.at(-1)?.size ?? this.#tables[0]?.size ?? 0
  }

  /** Roughly; a pair in a map takes about forty bytes. */
  get memoryBytes(): number {
    const tables = this.#tables.reduce((sum, table) => sum + table.memoryBytes, 0)
    return this.#pairs.reduce((sum, pairs) => sum + 40 * pairs.size, tables)
  }

  /** Reads keys off frames of one side; `isInterning` on the side that is built. */
  reader(names: readonly string[], isInterning: boolean): KeyReader {
    return new KeyReader(names, this.#tables, this.#pairs, isInterning)
  }
}

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

  /** Per row the number of its keys; `NO_KEY` where one is empty or the built side lacks them. */
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
      const pair = numbers[row] * LANE + next[row]
      let number = pairs.get(pair)
      if (number === undefined) {
        number = this.#isInterning ? pairs.size : NO_KEY
        if (this.#isInterning) pairs.set(pair, number)
      }
      numbers[row] = number
    }
  }
}
