import {
  Bytes,
  FIRST_CAPACITY,
  ITEMS_PER_CHECKPOINT,
  MAX_CACHED,
  ROW_WORK,
  present,
  sortedIndexes,
  work,
} from '../../../base/index.ts'
import {
  compareGroupTuples,
  decodeText,
  encodeText,
  groupKeyText,
  hasBit,
  isEmptyValue,
  valueAt,
  valueTag,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type Float64Column,
  type TextColumn,
  type TimeColumn,
  type Value,
} from '../../../data/index.ts'
import { FEW_ROWS_ONE_IN } from '../tuning.ts'
import { hasOneForm, plainOfValue, valueOfPlain, type PlainKeyValue } from './plain-values.ts'
import { orderOfKeys } from './key-order.ts'
import { grownLength, KeyTable } from './key-table.ts'
import { PairNumbers } from './pair-numbers.ts'

/** Marks a dictionary entry that has no key number yet. */
const UNKNOWN = -1

/** The entry of `#locations` for a value that is not a string. */
const ELSEWHERE = -1

const nothing = { bytes: Bytes.alloc(0), start: 0, end: 0 }

/** The values of all keys, in the order of their numbers, as plain data for another thread. */
export interface PartialKeys {
  /**
   * All strings in UTF-8: key number `i` is `bytes[ends[i - 1], ends[i])`, which is empty if the key is not a string.
   */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  readonly others: readonly (readonly [number: number, value: PlainKeyValue])[]
}

/**
 * Assigns numbers to the distinct values of one key, in order of appearance. Missing and `''` are one key, printed
 * `null`. Each dictionary entry is numbered once. Entries of the first dictionary are distinct, so they are not read
 * until other strings occur; those are compared by their bytes.
 */
export class KeyEncoder {
  #size = 0
  /**
   * For each key number, the location of its value: a code of the dictionary `#direct`, -2 or less for a string in
   * `#texts`, or `ELSEWHERE`.
   */
  #locations = new Int32Array(FIRST_CAPACITY)
  /** For each key number, its value if it is not a string or if it is a decoded string; else `undefined`. */
  readonly #values: (Value | undefined)[] = []
  /** The total length of the decoded strings, in characters. */
  #textChars = 0
  #direct: Dictionary | undefined
  #empty = UNKNOWN
  readonly #strings = new Map<string, number>()
  readonly #numbers = new Map<number, number>()
  readonly #others = new Map<string, number>()
  readonly #byCode = new Map<Dictionary, Int32Array>()
  /**
   * Table of all strings; created when a string outside `#direct` occurs. `#ofText` maps its numbers to key numbers.
   */
  #texts: KeyTable | undefined
  #ofText = new Uint32Array(FIRST_CAPACITY)
  #ids = new Uint32Array(0)

  get size(): number {
    return this.#size
  }

  /** The key number of the empty key; -1 if no row had an empty key. */
  get empty(): number {
    return this.#empty
  }

  /** The estimated bytes of memory, without decoded strings. */
  get memoryBytes(): number {
    const keys = this.#strings.size + this.#numbers.size + this.#others.size
    let codes = 0
    for (const known of this.#byCode.values()) codes += known.byteLength
    const tables = this.#locations.byteLength + codes + this.#ofText.byteLength
    return tables + (this.#texts?.memoryBytes ?? 0) + keys * 64 + this.#textChars * 2
  }

  valueOf(id: number): Value {
    return (this.#values[id] ??= this.#read(this.#locations[id]))
  }

  #read(location: number): Value {
    if (location === ELSEWHERE) return null
    if (location >= 0) return this.#direct?.valueAt(location) ?? null
    const bytes = this.#bytesAt(location)
    return decodeText(bytes, 0, bytes.length)
  }

  #add(location: number): number {
    const id = this.#size++
    if (id === this.#locations.length) {
      const wider = new Int32Array(grownLength(id))
      wider.set(this.#locations)
      this.#locations = wider
    }
    this.#locations[id] = location
    return id
  }

  #addValue(value: Value): number {
    const id = this.#add(ELSEWHERE)
    this.#values[id] = value
    return id
  }

  #idOf(value: Value): number {
    if (isEmptyValue(value)) return this.#idOfEmpty()
    if (typeof value === 'string') return this.#idOfString(value)
    return typeof value === 'number' ? this.#idOfNumber(value) : this.#idOfOther(value)
  }

  #idOfEmpty(): number {
    if (this.#empty === UNKNOWN) this.#empty = this.#addValue(null)
    return this.#empty
  }

  #idOfString(text: string): number {
    work(ROW_WORK)
    const known = this.#strings.get(text)
    if (known !== undefined) return known
    const bytes = encodeText(text)
    const id = this.#idOfText(bytes, 0, bytes.length)
    if (this.#strings.size < MAX_CACHED) {
      this.#strings.set(text, id)
      this.#textChars += text.length
    }
    return id
  }

  /** Returns the key number of a non-empty string; `code` is its code in `#direct`, if it has one. */
  #idOfText(bytes: Bytes, start: number, end: number, code?: number): number {
    work(1)
    const texts = this.#table()
    const known = texts.size
    const key = texts.intern(bytes, start, end)
    if (key === known) this.#noteText(key, this.#add(code ?? -2 - key))
    return this.#ofText[key]
  }

  /** Returns the table of all strings. Creating it adds the numbered strings of `#direct`. */
  #table(): KeyTable {
    if (this.#texts !== undefined) return this.#texts
    this.#texts = new KeyTable()
    for (let id = 0; id < this.#size; id++) {
      if (id % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
      if (this.#locations[id] === ELSEWHERE) continue
      const bytes = this.#bytesAt(this.#locations[id])
      this.#noteText(this.#texts.intern(bytes, 0, bytes.length), id)
    }
    return this.#texts
  }

  #noteText(key: number, id: number): void {
    if (key === this.#ofText.length) {
      const wider = new Uint32Array(grownLength(key))
      wider.set(this.#ofText)
      this.#ofText = wider
    }
    this.#ofText[key] = id
  }

  /** Returns the UTF-8 bytes of a string, given its entry in `#locations`. */
  #bytesAt(location: number): Bytes {
    if (location < ELSEWHERE) return present(this.#texts).bytesOf(-2 - location)
    const { bytes, offsets } = present(this.#direct)
    return bytes.subarray(offsets[location], offsets[location + 1])
  }

  #idOfNumber(value: number): number {
    work(ROW_WORK)
    let id = this.#numbers.get(value)
    if (id === undefined) {
      // An integer beyond 2^53 may also occur as a bigint, which is the same key. All other numbers have one form.
      const isAlone = !Number.isInteger(value) || Number.isSafeInteger(value)
      id = isAlone ? this.#addValue(value) : this.#idOfOther(value)
      this.#numbers.set(value, id)
    }
    return id
  }

  #idOfOther(value: Value): number {
    work(ROW_WORK)
    const text = groupKeyText(value)
    let id = this.#others.get(text)
    if (id === undefined) {
      id = this.#addValue(value)
      this.#others.set(text, id)
      this.#textChars += 2 * text.length
    }
    return id
  }

  #idOfEntry(dictionary: Dictionary, code: number): number {
    this.#direct ??= dictionary
    if (dictionary !== this.#direct || dictionary.tags[code] !== valueTag.text)
      return this.#idOf(dictionary.valueAt(code))
    const { bytes, offsets } = dictionary
    const start = offsets[code]
    const end = offsets[code + 1]
    if (start === end) return this.#idOfEmpty()
    return this.#texts === undefined ? this.#add(code) : this.#idOfText(bytes, start, end, code)
  }

  /** Returns the key number of each row. The next call overwrites the array. */
  encode(column: Column): Uint32Array {
    if (this.#ids.length < column.length) this.#ids = new Uint32Array(column.length)
    const ids = this.#ids.subarray(0, column.length)
    this.#encode(column, ids)
    return ids
  }

  #encode(column: Column, ids: Uint32Array): void {
    switch (column.kind) {
      case 'constant':
        if (ids.length > 0) ids.fill(this.#idOf(column.value))
        return
      case 'dictionary':
        this.#encodeCodes(column, ids)
        return
      case 'float64':
        this.#encodeNumbers(column, ids)
        return
      case 'time':
        this.#encodeTimes(column, ids)
        return
      case 'text':
        this.#encodeTexts(column, undefined, ids)
        return
      case 'chunked':
        column.chunks.forEach((part, index) => {
          const start = column.starts[index]
          this.#encode(part, ids.subarray(start, start + part.length))
        })
        return
      case 'gathered':
        if (column.source.kind === 'text') {
          this.#encodeTexts(column.source, column.rows, ids)
          return
        }
        break
      default:
    }
    for (let row = 0; row < ids.length; row++) ids[row] = this.#idOf(valueAt(column, row))
  }

  #encodeCodes({ codes, dictionary }: DictionaryColumn, ids: Uint32Array): void {
    let known = this.#byCode.get(dictionary)
    if (known === undefined || known.length < dictionary.size) {
      const wider = new Int32Array(dictionary.size).fill(UNKNOWN)
      if (known !== undefined) wider.set(known)
      known = wider
      this.#byCode.set(dictionary, known)
    }
    for (let row = 0; row < ids.length; row++) {
      if (row % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 4)
      const code = codes[row]
      if (known[code] === UNKNOWN) known[code] = this.#idOfEntry(dictionary, code)
      ids[row] = known[code]
    }
  }

  #encodeNumbers({ values, validity }: Float64Column, ids: Uint32Array): void {
    for (let row = 0; row < ids.length; row++) {
      const isThere = validity === undefined || hasBit(validity, row)
      ids[row] = isThere ? this.#idOfNumber(values[row]) : this.#idOfEmpty()
    }
  }

  /**
   * Numbers a column of times. Rows sorted by time contain runs of equal time buckets, and each run is looked up once.
   */
  #encodeTimes(column: TimeColumn, ids: Uint32Array): void {
    const { deltas, validity } = column
    for (let row = 0; row < ids.length; row++) {
      const isSame = row > 0 && validity === undefined && deltas[row] === deltas[row - 1]
      ids[row] = isSame ? ids[row - 1] : this.#idOf(valueAt(column, row))
    }
  }

  /** Writes to `ids` the key numbers of the strings at `rows`, or of all rows. */
  #encodeTexts(column: TextColumn, rows: Uint32Array | undefined, ids: Uint32Array): void {
    const { validity, reader } = column
    const isThere = (row: number): boolean => validity === undefined || hasBit(validity, row)
    if (reader !== undefined && ids.length * FEW_ROWS_ONE_IN < column.length) {
      for (let i = 0; i < ids.length; i++) {
        const row = rows === undefined ? i : rows[i]
        const { bytes, start, end } = isThere(row) ? reader.at(row) : nothing
        ids[i] = start === end ? this.#idOfEmpty() : this.#idOfText(bytes, start, end)
      }
      return
    }
    const { bytes, offsets } = column
    for (let i = 0; i < ids.length; i++) {
      const row = rows === undefined ? i : rows[i]
      const isEmpty = !isThere(row) || offsets[row] === offsets[row + 1]
      ids[i] = isEmpty ? this.#idOfEmpty() : this.#idOfText(bytes, offsets[row], offsets[row + 1])
    }
  }

  /**
   * Returns all keys for another thread. `undefined` if a key may equal a key of another type, such as a float and an
   * integer.
   */
  exportKeys(): PartialKeys | undefined {
    const ends = new Uint32Array(this.#size)
    const others: (readonly [number, PlainKeyValue])[] = []
    let length = 0
    for (let id = 0; id < this.#size; id++) {
      if (id % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 3)
      const location = this.#locations[id]
      if (location === ELSEWHERE) {
        const value = this.#values[id] ?? null
        if (!hasOneForm(value)) return undefined
        others.push([id, plainOfValue(value)])
      } else length += this.#bytesAt(location).length
      ends[id] = length
    }
    const bytes = Bytes.allocUnsafeSlow(length)
    for (let id = 0, at = 0; id < this.#size; at = ends[id++]) {
      if (id % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
      const location = this.#locations[id]
      if (location !== ELSEWHERE) bytes.set(this.#bytesAt(location), at)
    }
    return { bytes, ends, others }
  }

  /** Returns, for each key of another thread, the key number of this thread; new keys get the next numbers. */
  mergePartial({ bytes, ends, others }: PartialKeys): Uint32Array {
    const ids = new Uint32Array(ends.length)
    const texts = Bytes.from(bytes.buffer, bytes.byteOffset, bytes.length)
    let next = 0
    for (let i = 0, from = 0; i < ends.length; from = ends[i++]) {
      if (next < others.length && others[next][0] === i) ids[i] = this.#idOf(valueOfPlain(others[next++][1]))
      else ids[i] = this.#idOfText(texts, from, ends[i])
    }
    return ids
  }
}

/** Assigns numbers to the distinct combinations of several keys, in order of appearance. */
export class GroupKeys {
  readonly #encoders: readonly KeyEncoder[]
  /**
   * For each key after the first: numbers of pairs. A pair consists of the number for all previous keys and this key's
   * number.
   */
  readonly #pairs: readonly PairNumbers[]
  readonly #keyCount: number

  constructor(keyCount: number) {
    this.#keyCount = keyCount
    this.#encoders = Array.from({ length: keyCount }, () => new KeyEncoder())
    this.#pairs = Array.from({ length: Math.max(0, keyCount - 1) }, () => new PairNumbers())
  }

  get groupCount(): number {
    if (this.#keyCount === 0) return 1
    return this.#pairs.at(-1)?.size ?? this.#encoders[0].size
  }

  get memoryBytes(): number {
    const ofKeys = this.#encoders.reduce((sum, encoder) => sum + encoder.memoryBytes, 0)
    return this.#pairs.reduce((sum, pairs) => sum + pairs.memoryBytes, ofKeys)
  }

  /** Returns the group number of each row; the array is valid until the next call. */
  groupsOf(columns: readonly Column[], rowCount: number): Uint32Array {
    if (columns.length === 0) return new Uint32Array(rowCount)
    const [first, ...rest] = this.#encoders.map((encoder, key) => encoder.encode(columns[key]))
    rest.forEach((next, step) => this.#pairs[step].combine(first, next))
    return first
  }

  keyValues(group: number): readonly Value[] {
    const values: Value[] = []
    let left = group
    for (let step = this.#keyCount - 1; step > 0; step--) {
      const pairs = this.#pairs[step - 1]
      values.unshift(this.#encoders[step].valueOf(pairs.rightOf(left)))
      left = pairs.leftOf(left)
    }
    if (this.#keyCount > 0) values.unshift(this.#encoders[0].valueOf(left))
    return values
  }

  /** Returns all group numbers, sorted by their keys in the order of the answer. */
  sorted(): Uint32Array {
    const [only] = this.#encoders
    if (this.#keyCount === 1) return orderOfKeys(only.size, (id) => only.valueOf(id))
    const tuples = Array<readonly Value[] | undefined>(this.groupCount)
    const tuple = (group: number): readonly Value[] => (tuples[group] ??= this.keyValues(group))
    return sortedIndexes(tuples.length, (a, b) => compareGroupTuples(tuple(a), tuple(b)))
  }
}
