import { Bytes, FIRST_CAPACITY } from '../../base/index.ts'
import { encodeText, Instant, JsonText, tagOf, valueTag, type Value } from '../../data/index.ts'
import type { FieldState } from './field-state.ts'
import { copyBytes } from './shared.ts'
import { spareBytes, type SpareColumn } from './spare-column.ts'

/**
 * Collects the values of one field in a tail, in order of ingestion. Only rows that have the field take space. The
 * builder starts with the most compact mode and switches to a more general one when a value does not fit.
 */
export class ColumnBuilder {
  readonly field: FieldState
  /** The number of values so far. */
  count = 0
  /**
   * The kind of storage: `codes` of the dictionary, only `numbers`, only `texts`, or `mixed` (tagged values of any
   * class).
   */
  mode: 'codes' | 'numbers' | 'texts' | 'mixed'
  codes = new Uint32Array(0)
  numbers = new Float64Array(0)
  tags = new Uint8Array(0)
  bytes = Bytes.alloc(0)
  /** For each value, the end of its bytes in `bytes`. */
  ends = new Uint32Array(0)
  isAscii = true
  /** The row of each value. Absent as long as every row has the field: then value `k` belongs to row `k`. */
  rows: Uint32Array<ArrayBuffer> | undefined
  #capacity = 0
  #spare: SpareColumn | undefined

  constructor(field: FieldState) {
    this.field = field
    this.mode = field.isCoded ? 'codes' : 'numbers'
  }

  /**
   * Passes the buffers to the field's next builder. All rows must be sealed, and this builder must not be used
   * afterwards.
   */
  handOver(): void {
    const { codes, numbers, bytes, ends, rows = new Uint32Array(0) } = this
    if (this.#capacity <= FIRST_CAPACITY) return
    const { field } = this
    const spare = { codes, numbers, bytes, ends, rows }
    if (field.spare === undefined || spareBytes(field.spare) < spareBytes(spare)) field.spare = spare
  }

  get byteLength(): number {
    return this.count === 0 || this.ends.length === 0 ? 0 : this.ends[this.count - 1]
  }

  get memoryBytes(): number {
    return (
      this.codes.byteLength +
      this.numbers.byteLength +
      this.tags.byteLength +
      this.bytes.length +
      this.ends.byteLength +
      (this.rows?.byteLength ?? 0)
    )
  }

  /** Adds a text that consists only of ASCII bytes. */
  addAscii(row: number, source: Bytes, start: number, end: number): void {
    if (this.mode === 'codes') this.addCode(row, this.field.dictionary.entries.internAscii(source, start, end))
    else this.#addBytes(row, valueTag.text, source, start, end)
  }

  addNumber(row: number, value: number): void {
    if (this.mode === 'codes') {
      this.addCode(row, this.field.dictionary.entries.internNumber(value))
      return
    }
    if (this.mode === 'texts') this.#widen()
    this.#place(row)
    this.numbers[this.count] = value
    if (this.mode === 'mixed') {
      this.tags[this.count] = valueTag.number
      this.ends[this.count] = this.byteLength
    }
    this.count++
  }

  add(row: number, value: Value): void {
    if (value === null) return
    if (this.mode === 'codes') {
      this.addCode(row, this.field.dictionary.entries.intern(value))
      return
    }
    if (typeof value === 'number') this.addNumber(row, value)
    else if (typeof value === 'boolean') {
      this.#widen()
      this.#place(row)
      this.tags[this.count] = valueTag.bool
      this.numbers[this.count] = value ? 1 : 0
      this.ends[this.count] = this.byteLength
      this.count++
    } else {
      const text =
        typeof value === 'string'
          ? value
          : value instanceof Instant
            ? String(value.ns)
            : value instanceof JsonText
              ? value.json
              : String(value)
      const bytes = encodeText(text)
      if (bytes.length !== text.length) this.isAscii = false
      this.#addBytes(row, tagOf(value), bytes, 0, bytes.length)
    }
  }

  /** Adds a value by its dictionary code. Allowed only in mode `codes`. */
  addCode(row: number, code: number): void {
    this.#place(row)
    this.codes[this.count++] = code
    const { field } = this
    field.codedValues++
    if (!field.review()) this.#decode()
  }

  #addBytes(row: number, tag: number, source: Bytes, start: number, end: number): void {
    if (this.mode === 'numbers' && this.count === 0 && tag === valueTag.text) this.mode = 'texts'
    else if (this.mode === 'numbers' || (this.mode === 'texts' && tag !== valueTag.text)) this.#widen()
    this.#place(row)
    const from = this.byteLength
    const to = from + end - start
    if (to > this.bytes.length) this.#growBytes(to)
    copyBytes(source, start, end, this.bytes, from)
    this.ends[this.count] = to
    if (this.mode === 'mixed') this.tags[this.count] = tag
    this.count++
  }

  /** Records the row of the next value and ensures capacity for it. */
  #place(row: number): void {
    if (this.count === this.#capacity || (this.#capacity > 0 && !this.#hasRoom())) this.#grow()
    if (this.rows === undefined) {
      if (row === this.count) return
      this.rows = new Uint32Array(this.#capacity)
      for (let k = 0; k < this.count; k++) this.rows[k] = k
    }
    this.rows[this.count] = row
  }

  #hasRoom(): boolean {
    switch (this.mode) {
      case 'codes':
        return this.codes.length > this.count
      case 'numbers':
        return this.numbers.length > this.count
      case 'texts':
        return this.ends.length > this.count
      case 'mixed':
        return this.tags.length > this.count
    }
  }

  #grow(): void {
    if (this.count === this.#capacity) {
      // Tails of old epochs usually have few rows. The spare buffers are left for builders with more values.
      if (this.#capacity >= FIRST_CAPACITY) this.#takeSpare()
      this.#capacity = Math.max(FIRST_CAPACITY, this.#capacity * 2)
    }
    const capacity = this.#capacity
    const spare = this.#spare
    const wide = <A extends Uint32Array | Float64Array | Uint8Array>(
      old: A,
      left: A | undefined,
      make: (length: number) => A,
    ): A => {
      if (old.length >= capacity) return old
      const next = left !== undefined && left.length >= capacity ? left : make(capacity)
      next.set(old)
      return next
    }
    if (this.rows !== undefined) this.rows = wide(this.rows, spare?.rows, (n) => new Uint32Array(n))
    if (this.mode === 'codes') this.codes = wide(this.codes, spare?.codes, (n) => new Uint32Array(n))
    if (this.mode === 'numbers') this.numbers = wide(this.numbers, spare?.numbers, (n) => new Float64Array(n))
    if (this.mode === 'mixed') this.numbers = wide(this.numbers, undefined, (n) => new Float64Array(n))
    if (this.mode === 'texts' || this.mode === 'mixed')
      this.ends = wide(this.ends, spare?.ends, (n) => new Uint32Array(n))
    if (this.mode === 'mixed') this.tags = wide(this.tags, undefined, (n) => new Uint8Array(n))
  }

  #takeSpare(): void {
    this.#spare ??= this.field.spare
    this.field.spare = undefined
  }

  #growBytes(length: number): void {
    const spare = this.#spare?.bytes
    const next =
      spare !== undefined && spare.length >= length
        ? spare
        : Bytes.allocUnsafeSlow(Math.max(length, this.bytes.length * 2, 4096))
    this.bytes.copy(next, 0, 0, this.byteLength)
    this.bytes = next
  }

  /** Converts to mode `mixed`. */
  #widen(): void {
    if (this.mode === 'mixed') return
    const tag = this.mode === 'numbers' ? valueTag.number : valueTag.text
    this.mode = 'mixed'
    // A reused buffer may hold any values, so entries that have no number or no bytes must be zero.
    this.numbers.fill(0, this.count)
    this.#grow()
    if (tag === valueTag.number) this.ends.fill(0, 0, this.count)
    this.tags.fill(tag, 0, this.count)
  }

  /** Replaces codes by plain values, because the field has too many distinct values. */
  #decode(): void {
    const { codes, rows, count, field } = this
    const { dictionary } = field
    this.mode = 'numbers'
    this.codes = new Uint32Array(0)
    this.rows = undefined
    this.count = 0
    for (let k = 0; k < count; k++) this.add(rows === undefined ? k : rows[k], dictionary.valueAt(codes[k]))
  }
}
