import { mergeOrder, work, type Turns } from '../../../base/index.ts'
import {
  compareGroupTuples,
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
  type Value,
} from '../../../data/index.ts'
import { orderOfKeys } from './key-order.ts'
import { KeyTable } from './key-table.ts'
import { PairNumbers } from './pair-numbers.ts'

const UNKNOWN = -1
/** What it takes to number a value by a look at it, and one by its code, in units of `work`. */
const VALUE_WORK = 8
const ROWS_PER_LOOK = 4096

/**
 * Numbers the distinct values of one key in order of appearance; missing and `''` are one, printed `null`. An entry of a
 * dictionary is numbered once, and texts of the first dictionary met are not even read: no two of its entries are equal.
 */
export class KeyEncoder {
  /** By number; those of direct entries stay `undefined` until someone asks. */
  readonly #values: (Value | undefined)[] = []
  /** By number: the code of a direct entry, else -1. */
  #codes = new Int32Array(256)
  /** Of texts that are held here: twice, as values and as keys. */
  #textChars = 0
  #direct: Dictionary | undefined
  /** Texts so far are those of `#direct` alone, and not in `#texts`. */
  #isDirect = true
  #empty = UNKNOWN
  readonly #texts = new Map<string, number>()
  readonly #numbers = new Map<number, number>()
  readonly #others = new Map<string, number>()
  readonly #byCode = new Map<Dictionary, Int32Array>()
  /** Texts by their bytes, and the number of each. */
  #bytes: KeyTable | undefined
  readonly #byBytes: number[] = []
  #ids = new Uint32Array(0)

  get size(): number {
    return this.#values.length
  }

  /** Roughly, without values of direct entries that were read. */
  get memoryBytes(): number {
    const keys = this.#texts.size + this.#numbers.size + this.#others.size
    return this.size * 16 + this.#codes.byteLength + keys * 48 + this.#textChars * 2 + (this.#bytes?.memoryBytes ?? 0)
  }

  valueOf(id: number): Value {
    return (this.#values[id] ??= this.#codes[id] === UNKNOWN ? null : this.#entry(this.#codes[id]))
  }

  #entry(code: number): Value {
    return this.#direct?.valueAt(code) ?? null
  }

  #add(value: Value | undefined, code = UNKNOWN): number {
    const id = this.#values.push(value) - 1
    if (id === this.#codes.length) {
      const wider = new Int32Array(id * 2)
      wider.set(this.#codes)
      this.#codes = wider
    }
    this.#codes[id] = code
    return id
  }

  #idOf(value: Value): number {
    if (isEmptyValue(value)) return this.#idOfEmpty()
    if (typeof value === 'string') return this.#idOfText(value)
    return typeof value === 'number' ? this.#idOfNumber(value) : this.#idOfOther(value)
  }

  #idOfEmpty(): number {
    if (this.#empty === UNKNOWN) this.#empty = this.#add(null)
    return this.#empty
  }

  #idOfText(text: string): number {
    if (this.#isDirect) this.#leaveDirect()
    work(VALUE_WORK)
    let id = this.#texts.get(text)
    if (id === undefined) {
      id = this.#add(text)
      this.#texts.set(text, id)
      this.#textChars += text.length
    }
    return id
  }

  #leaveDirect(): void {
    this.#isDirect = false
    for (let id = 0; id < this.#values.length; id++) {
      if (this.#codes[id] === UNKNOWN) continue
      const text = this.valueOf(id)
      work(VALUE_WORK)
      if (typeof text === 'string') this.#texts.set(text, id)
    }
  }

  #idOfNumber(value: number): number {
    work(VALUE_WORK / 2)
    let id = this.#numbers.get(value)
    if (id === undefined) {
      // Only an integer beyond 2^53 may share its text with a bigint.
      const isAlone = !Number.isInteger(value) || Number.isSafeInteger(value)
      id = isAlone ? this.#add(value) : this.#idOfOther(value)
      this.#numbers.set(value, id)
    }
    return id
  }

  #idOfOther(value: Value): number {
    work(VALUE_WORK)
    const text = groupKeyText(value)
    let id = this.#others.get(text)
    if (id === undefined) {
      id = this.#add(value)
      this.#others.set(text, id)
      this.#textChars += 2 * text.length
    }
    return id
  }

  #idOfEntry(dictionary: Dictionary, code: number): number {
    if (this.#isDirect && dictionary.tags[code] === valueTag.text && dictionary === (this.#direct ??= dictionary)) {
      return dictionary.offsets[code] === dictionary.offsets[code + 1] ? this.#idOfEmpty() : this.#add(undefined, code)
    }
    return this.#idOf(dictionary.valueAt(code))
  }

  /** The number of each row's key; in memory that the next ones take. */
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
      case 'text':
        for (let row = 0; row < ids.length; row++) ids[row] = this.#idOfBytes(column, row)
        return
      case 'chunked':
        column.parts.forEach((part, index) => {
          const start = column.starts[index]
          this.#encode(part, ids.subarray(start, start + part.length))
        })
        return
      case 'gathered':
        if (column.source.kind === 'text') {
          const { source, rows } = column
          for (let row = 0; row < ids.length; row++) ids[row] = this.#idOfBytes(source, rows[row])
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
      if (row % ROWS_PER_LOOK === 0) work(ROWS_PER_LOOK >>> 4)
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

  #idOfBytes(column: TextColumn, row: number): number {
    const { bytes, offsets, validity } = column
    const start = offsets[row]
    const end = offsets[row + 1]
    if (start === end || (validity !== undefined && !hasBit(validity, row))) return this.#idOfEmpty()
    this.#bytes ??= new KeyTable()
    work(VALUE_WORK / 4)
    const key = this.#bytes.intern(bytes, start, end)
    return (this.#byBytes[key] ??= this.#idOf(valueAt(column, row)))
  }
}

/** Numbers the distinct combinations of keys in order of appearance. */
export class GroupKeys {
  readonly #encoders: readonly KeyEncoder[]
  /** Per step from two keys on: the number of a pair of numbers. */
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

  /** The group of each row, until those of others are asked for. */
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

  /** All groups in the order of the answer. */
  sorted(): Turns<Uint32Array> {
    const [only] = this.#encoders
    if (this.#keyCount === 1) return orderOfKeys(only.size, (id) => only.valueOf(id))
    const tuples = Array<readonly Value[] | undefined>(this.groupCount)
    const tuple = (group: number): readonly Value[] => (tuples[group] ??= this.keyValues(group))
    return mergeOrder(tuples.length, (a, b) => compareGroupTuples(tuple(a), tuple(b)))
  }
}
