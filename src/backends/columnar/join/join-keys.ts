import type { Bytes } from '../../../base/index.ts'
import {
  createBitmap,
  encodeText,
  hasBit,
  toText,
  valueAt,
  valueTag,
  type Bitmap,
  type Codes,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type TextColumn,
  type Value,
} from '../../../data/index.ts'
import type { Frame } from '../frame.ts'
import { CodeTable } from './code-table.ts'
import { KeyTable, NO_KEY, NONE, UNKNOWN, type KeyIndex } from '../keys/key-table.ts'

const LANE = 2 ** 26
const ALL_ROWS = 0xffffffff
const nothing = encodeText('')

/** Numbers the keys of one column; a dictionary's entries are looked up once, however many rows and frames hold them. */
class KeyColumn {
  readonly #index: KeyIndex
  readonly #isInterning: boolean
  readonly #byCode = new Map<Dictionary, Uint32Array>()
  /** Those all of whose entries were looked up at once. */
  readonly #lookedUp = new Set<Dictionary>()
  /** Of these, once it is asked for: 1 for entries that may be keys. Small enough to stay near the processor. */
  readonly #mayBeKeys = new Map<Dictionary, Bitmap>()
  #rows = new Uint32Array(0)
  #passing = new Uint32Array(0)
  #codeBytes = 0

  constructor(index: KeyIndex, isInterning: boolean) {
    this.#index = index
    this.#isInterning = isInterning
  }

  get memoryBytes(): number {
    return this.#codeBytes
  }

  /** As `numbers`, in memory that the next ones take. */
  passingNumbers(column: Column): Uint32Array {
    if (this.#passing.length < column.length) this.#passing = new Uint32Array(column.length)
    return this.numbers(column, this.#passing.subarray(0, column.length))
  }

  /** Per row the number of its key; `NO_KEY` where it is not known. */
  numbers(column: Column, numbers = new Uint32Array(column.length)): Uint32Array {
    const { length } = column
    if (column.kind === 'constant') return numbers.fill(length === 0 ? NO_KEY : this.#ofValue(column.value))
    if (column.kind === 'dictionary') return this.#ofCodes(column, numbers)
    if (column.kind === 'text') {
      for (let row = 0; row < length; row++) numbers[row] = this.#ofText(column, row)
    } else if (column.kind === 'gathered' && column.source.kind === 'text') {
      for (let row = 0; row < length; row++) numbers[row] = this.#ofText(column.source, column.rows[row])
    } else for (let row = 0; row < length; row++) numbers[row] = this.#ofValue(valueAt(column, row))
    return numbers
  }

  #ofCodes(column: DictionaryColumn, numbers: Uint32Array): Uint32Array {
    if (this.#isInterning && this.#index.internCodes?.(column, numbers) === true) return numbers
    const { codes, dictionary, length } = column
    const known = this.#codesOf(dictionary)
    const mayBe = this.#bitsOf(dictionary)
    const rows = mayBe && this.#rowsWithBit(codes, length, mayBe)
    if (rows !== undefined) numbers.fill(NO_KEY)
    const count = rows?.length ?? length
    for (let i = 0; i < count; i++) {
      const row = rows === undefined ? i : rows[i]
      const code = codes[row]
      let key = known[code]
      if (key === UNKNOWN) {
        key = this.#learn(dictionary, code, known)
      }
      // `NONE - 2` is stored as `NO_KEY`.
      numbers[row] = key - 2
    }
    return numbers
  }

  /** For each entry of a dictionary whether it may be a key, where all were looked up. */
  #bitsOf(dictionary: Dictionary): Bitmap | undefined {
    const known = this.knownCodes(dictionary)
    if (known === undefined) return undefined
    let mayBe = this.#mayBeKeys.get(dictionary)
    if (mayBe === undefined) {
      mayBe = bitsOfKeys(known)
      this.#mayBeKeys.set(dictionary, mayBe)
      this.#codeBytes += mayBe.byteLength
    }
    return mayBe
  }

  /** Rows whose code has a bit, until the next are asked for. */
  #rowsWithBit(codes: Codes, length: number, bits: Bitmap): Uint32Array {
    if (this.#rows.length < length) this.#rows = new Uint32Array(length)
    const rows = this.#rows
    let count = 0
    for (let row = 0; row < length; row++) {
      const code = codes[row]
      rows[count] = row
      count += (bits[code >>> 5] >>> (code & 31)) & 1
    }
    return rows.subarray(0, count)
  }

  /** Looks all entries of a column's dictionary up at once: before many rows of it are read, `rowCount` of them. */
  lookUp(column: Column, rowCount: number): void {
    if (column.kind !== 'dictionary' || this.#index.noteAll === undefined) return
    const { dictionary } = column
    const known = this.#codesOf(dictionary)
    if (this.#index.noteAll(dictionary, known, rowCount)) this.#lookedUp.add(dictionary)
  }

  /** By code the number of its key and two more, as `KeyIndex` has it, where that is known of all entries. Not to be changed. */
  knownCodes(dictionary: Dictionary): Uint32Array | undefined {
    const known = this.#lookedUp.has(dictionary) ? this.#byCode.get(dictionary) : undefined
    // Entries that have come since were not looked up.
    return known !== undefined && known.length >= dictionary.size ? known : undefined
  }

  /** Clears rows whose key is not known, where that takes no look at values. */
  narrow(column: Column, mask: Bitmap): void {
    if (column.kind === 'constant' && this.#ofValue(column.value) === NO_KEY) mask.fill(0)
    if (column.kind !== 'dictionary') return
    const { codes, dictionary } = column
    const mayBe = this.#bitsOf(dictionary)
    if (mayBe !== undefined) {
      narrowByBits(codes, mayBe, mask)
      return
    }
    const known = this.#codesOf(dictionary)
    for (let at = 0; at < mask.length; at++) {
      let word = mask[at]
      if (word === 0) continue
      let kept = 0
      do {
        const low = word & -word
        const code = codes[(at << 5) + 31 - Math.clz32(low)]
        let key = known[code]
        if (key === UNKNOWN) {
          key = this.#learn(dictionary, code, known)
        }
        if (key !== NONE) kept |= low
        word ^= low
      } while (word !== 0)
      mask[at] = kept
    }
  }

  #codesOf(dictionary: Dictionary): Uint32Array {
    let known = this.#byCode.get(dictionary)
    if (known === undefined || known.length < dictionary.size) {
      const wider = new Uint32Array(dictionary.size)
      if (known !== undefined) wider.set(known)
      this.#codeBytes += 4 * (wider.length - (known?.length ?? 0))
      known = wider
      this.#byCode.set(dictionary, known)
      // Entries that have come were not looked up.
      this.#lookedUp.delete(dictionary)
    }
    return known
  }

  #learn(dictionary: Dictionary, code: number, known: Uint32Array): number {
    return (known[code] = this.#ofEntry(dictionary, code))
  }

  #ofEntry(dictionary: Dictionary, code: number): number {
    const { tags, offsets } = dictionary
    let key: number
    if (tags[code] !== valueTag.text) key = this.#ofValue(dictionary.valueAt(code))
    else if (offsets[code] === offsets[code + 1]) key = this.#ofEmpty()
    else if (this.#isInterning) key = this.#index.internEntry(dictionary, code)
    else key = this.#index.findEntry(dictionary, code)
    return key === NO_KEY ? NONE : key + 2
  }

  #ofText({ bytes, offsets, validity }: TextColumn, row: number): number {
    if (validity !== undefined && !hasBit(validity, row)) return this.#ofEmpty()
    return this.#ofBytes(bytes, offsets[row], offsets[row + 1])
  }

  #ofBytes(bytes: Bytes, start: number, end: number): number {
    return this.#isInterning ? this.#index.intern(bytes, start, end) : this.#index.find(bytes, start, end)
  }

  /** What is missing and `''` are one key. */
  #ofEmpty(): number {
    return this.#ofBytes(nothing, 0, 0)
  }

  #ofValue(value: Value): number {
    const bytes = encodeText(toText(value))
    return this.#ofBytes(bytes, 0, bytes.length)
  }
}

/** A bit for each entry that may be a key. Those that come later may be, too. */
function bitsOfKeys(known: Uint32Array): Bitmap {
  const mayBe = createBitmap(known.length)
  const whole = known.length >>> 5
  for (let at = 0; at < whole; at++) {
    let bits = 0
    for (let bit = 0, code = at << 5; bit < 32; bit++, code++) bits |= (known[code] === NONE ? 0 : 1) << bit
    mayBe[at] = bits
  }
  if (whole === mayBe.length) return mayBe
  mayBe[whole] = -1
  for (let code = whole << 5; code < known.length; code++) if (known[code] === NONE) mayBe[whole] &= ~(1 << (code & 31))
  return mayBe
}

/** Clears rows whose code has no bit; whether it has is hard to foretell, so this does without branches. */
function narrowByBits(codes: Codes, bits: Bitmap, mask: Bitmap): void {
  for (let at = 0; at < mask.length; at++) {
    let word = mask[at]
    let kept = 0
    if (word === ALL_ROWS) {
      for (let bit = 0, row = at << 5; bit < 32; bit++, row++) {
        const code = codes[row]
        kept |= ((bits[code >>> 5] >>> (code & 31)) & 1) << bit
      }
    } else {
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word)
        const code = codes[(at << 5) + bit]
        kept |= ((bits[code >>> 5] >>> (code & 31)) & 1) << bit
        word &= word - 1
      }
    }
    mask[at] = kept
  }
}

/** Keys of the side that is built: known to the other side by the text of their values. */
export class BuiltKeys {
  readonly #indexes: readonly KeyIndex[]
  /** Per step from two keys on: the number of a pair of numbers. */
  readonly #pairs: readonly Map<number, number>[]

  /** For the rows of `frames`, all of the side; keys are the columns `names`. */
  constructor(names: readonly string[], frames: readonly Frame[]) {
    this.#indexes = names.map((name) => CodeTable.of(frames.map((frame) => frame.column(name))) ?? new KeyTable())
    this.#pairs = Array.from({ length: Math.max(0, names.length - 1) }, () => new Map<number, number>())
  }

  get size(): number {
    return this.#pairs.at(-1)?.size ?? this.#indexes[0]?.size ?? 0
  }

  /** Roughly; a pair in a map takes about forty bytes. */
  get memoryBytes(): number {
    const indexes = this.#indexes.reduce((sum, index) => sum + index.memoryBytes, 0)
    return this.#pairs.reduce((sum, pairs) => sum + 40 * pairs.size, indexes)
  }

  /** Reads keys off frames of one side; `isInterning` on the side that is built. */
  reader(names: readonly string[], isInterning: boolean): KeyReader {
    return new KeyReader(names, this.#indexes, this.#pairs, isInterning)
  }
}

export class KeyReader {
  readonly #names: readonly string[]
  readonly #columns: readonly KeyColumn[]
  readonly #pairs: readonly Map<number, number>[]
  readonly #isInterning: boolean

  constructor(
    names: readonly string[],
    indexes: readonly KeyIndex[],
    pairs: readonly Map<number, number>[],
    isInterning: boolean,
  ) {
    this.#names = names
    this.#columns = indexes.map((index) => new KeyColumn(index, isInterning))
    this.#pairs = pairs
    this.#isInterning = isInterning
  }

  get memoryBytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.memoryBytes, 0)
  }

  /** For a frame with the columns of those that come, `rowCount` rows: looks their keys up at once, before many are read. */
  lookUp(frame: Frame, rowCount: number): void {
    for (const [i, keys] of this.#columns.entries()) keys.lookUp(frame.column(this.#names[i]), rowCount)
  }

  /** The column of the keys where there is one alone, of a dictionary all of whose entries were looked up. */
  onlyCodes(frame: Frame): DictionaryColumn | undefined {
    if (this.#columns.length !== 1) return undefined
    const column = frame.column(this.#names[0])
    return column.kind === 'dictionary' && this.knownCodes(column.dictionary) !== undefined ? column : undefined
  }

  /** By code of a dictionary all of whose entries were looked up for the only column: the number of its key and two more; `NONE` for no key. */
  knownCodes(dictionary: Dictionary): Uint32Array | undefined {
    return this.#columns.length === 1 ? this.#columns[0].knownCodes(dictionary) : undefined
  }

  /** Clears rows whose keys the built side lacks, as far as codes tell. */
  narrow(frame: Frame, mask: Bitmap): void {
    this.#columns.forEach((keys, i) => keys.narrow(frame.column(this.#names[i]), mask))
  }

  /** Per row the number of its keys; `NO_KEY` where the built side lacks them. */
  numbers(frame: Frame): Uint32Array {
    return this.#combined(frame, (keys, column) => keys.numbers(column))
  }

  /** As `numbers`, in memory that the next ones take: it is a tenth of what a join of many rows has collected otherwise. */
  passingNumbers(frame: Frame): Uint32Array {
    return this.#combined(frame, (keys, column) => keys.passingNumbers(column))
  }

  #combined(frame: Frame, numbersOf: (keys: KeyColumn, column: Column) => Uint32Array): Uint32Array {
    const [first, ...rest] = this.#columns.map((keys, i) => numbersOf(keys, frame.column(this.#names[i])))
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
