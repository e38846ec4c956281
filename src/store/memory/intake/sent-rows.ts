import { Bytes, ITEMS_PER_CHECKPOINT, MAX_CACHED, MAX_UINT32, clampNs } from '../../../base/index.ts'
import { utf8, type MutableRow, type RecordFaultCount, type Value } from '../../../data/index.ts'
import { changesFields, tableAsSaid, type RecordOptions } from '../../record-options.ts'
import { appendRecord } from './append-record.ts'
import { LineColumns, type PlacedLine, type PlacedMember } from './placed-line.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import { epochTimeOf } from '../segment.ts'
import type { Tail } from '../tail.ts'

/**
 * Kinds of values, in the three high bits of a value's second word. A string's two words are its start and end: in the
 * body (`ascii`, `wide`) or in side memory (`side`). For `hex` they delimit bytes in the body whose hexadecimal digits
 * are the string. For `number` and `value` the first word is an index into a list.
 */
export const sentKind = { ascii: 0, side: 1, wide: 2, hex: 3, number: 4, value: 5 } as const
export const SENT_KIND_SHIFT = 29
/** A body must have fewer bytes than this, so that an offset fits below the kind. */
export const MOST_SENT_BYTES = 2 ** SENT_KIND_SHIFT
/** Maximum length of a `hex` value, bytes. */
export const MOST_HEX_BYTES = 32

/** Stands for the form of a row that must be read as an object. */
export const NO_FORM = MAX_UINT32

/**
 * Offsets of the 32-bit words before the values of a row: form, group, time (two words), start and end of its record.
 */
export const sentWords = { form: 0, group: 1, timeHigh: 2, timeLow: 3, start: 4, end: 5, count: 6 } as const

/**
 * The distinct names of a row's values: first the names of the values that its group shares, then the names of its own
 * values. The value of the time is stored separately.
 */
export interface SentForm {
  readonly names: readonly string[]
  /** The index of the time among the names; -1 if there is none. */
  readonly timeAt: number
}

/** Values that several rows share. In the form of these rows, the names of the shared values come first. */
export interface SentGroup {
  readonly values: readonly Value[]
}

/** The rows of a request body. Values stay encoded until the rows are stored. */
export interface SentRows {
  readonly bytes: Bytes
  readonly side: Bytes
  /** The rows one after another, each with the words of `sentWords` and two words for each of its own values. */
  readonly words: Uint32Array
  readonly rowCount: number
  readonly numbers: readonly number[]
  readonly values: readonly Value[]
  readonly forms: readonly SentForm[]
  readonly groups: readonly SentGroup[]
  /** Returns a row as an object, for rows whose columns depend on more than the names. */
  record(group: number, start: number, end: number): MutableRow
}

const END_MASK = MOST_SENT_BYTES - 1
const HEX = Bytes.from('0123456789abcdef')

/** The values of a group for rows of one form, with their dictionary codes. */
interface PlacedGroup {
  readonly group: SentGroup
  /** For each value and column, the dictionary code; 0 until the code is first needed. */
  readonly codes: number[][]
}

interface PlacedForm {
  /** The columns for rows of this form; `undefined` if the rows must be read as objects. */
  readonly line: PlacedLine | undefined
  last: PlacedGroup | undefined
}

/** Writes rows of request bodies to the columns of a table's tail. */
export class SentRowAppender {
  readonly #sink: RowBuilder
  readonly #options: RecordOptions | undefined
  readonly #columns: LineColumns
  /** True if the options change fields: then rows must become objects before they are stored. */
  readonly #changesFields: boolean
  readonly #lines = new Map<string, PlacedLine | undefined>()
  readonly #names = new Set<string>()
  readonly #time = { epoch: 0, delta: 0 }
  readonly #hex = Bytes.alloc(2 * MOST_HEX_BYTES)
  #forms = new WeakMap<SentForm, PlacedForm>()

  /** All rows of this appender are read with the same options. */
  constructor(sink: RowBuilder, options: RecordOptions | undefined) {
    this.#sink = sink
    this.#options = options
    this.#columns = new LineColumns(sink, tableAsSaid(sink.definition, options))
    this.#changesFields = changesFields(options)
  }

  /**
   * Stores rows from word `from` on, for at most a few milliseconds. Returns the position after the last stored row.
   */
  append(rows: SentRows, from: number, nowNs: bigint, times: RecordFaultCount): number {
    const { words, forms, groups } = rows
    let at = from
    for (let left = ITEMS_PER_CHECKPOINT; left > 0 && at < words.length; left--) {
      const [start, end] = [words[at + sentWords.start], words[at + sentWords.end]]
      const form = words[at + sentWords.form]
      const group = words[at + sentWords.group]
      const values = at + sentWords.count
      if (form === NO_FORM) {
        this.#appendRecord(rows.record(group, start, end), nowNs, times)
        at = values
        continue
      }
      const { names, timeAt } = forms[form]
      const placed = this.#placedForm(forms[form])
      const shared = groups[group]
      if (placed.line === undefined || placed.line.timeAt !== timeAt) {
        this.#appendRecord(rows.record(group, start, end), nowNs, times)
      } else {
        if (placed.last?.group !== shared) placed.last = { group: shared, codes: [] }
        if (timeAt === -1) times.add(undefined, () => rows.record(group, start, end))
        this.#place(rows, at, placed.line, placed.last, nowNs)
      }
      at = values + 2 * (names.length - shared.values.length - (timeAt === -1 ? 0 : 1))
    }
    return at
  }

  #placedForm(form: SentForm): PlacedForm {
    const known = this.#forms.get(form)
    if (known !== undefined) return known
    const made: PlacedForm = { line: this.#changesFields ? undefined : this.#lineOf(form.names), last: undefined }
    this.#forms.set(form, made)
    return made
  }

  #lineOf(names: readonly string[]): PlacedLine | undefined {
    const all = names.join('\u0000')
    if (this.#lines.has(all)) return this.#lines.get(all)
    for (const name of names) if (this.#names.size < MAX_CACHED) this.#names.add(name)
    const line = names.every((name) => this.#names.has(name)) ? this.#columns.ofNames(names) : undefined
    if (this.#lines.size >= MAX_CACHED) this.#lines.clear()
    this.#lines.set(all, line)
    return line
  }

  #place(
    rows: SentRows,
    from: number,
    { members, timeAt, defaultLevel }: PlacedLine,
    group: PlacedGroup,
    nowNs: bigint,
  ): void {
    const { bytes, words } = rows
    const sink = this.#sink
    const time = this.#time
    let tail: Tail
    if (timeAt === -1) tail = sink.beginRowAt(epochTimeOf(clampNs(nowNs)))
    else {
      // An epoch has 2^52 ns, so the high word has 20 bits of the offset.
      const high = words[from + sentWords.timeHigh]
      time.epoch = high >>> 20
      time.delta = (high & 0xfffff) * 2 ** 32 + words[from + sentWords.timeLow]
      tail = sink.beginRowAt(time)
    }
    const row = tail.rowCount
    const shared = group.group.values.length
    for (let i = 0; i < shared; i++) this.#placeShared(tail, row, members[i], group, i)
    let at = from + sentWords.count
    for (let i = shared; i < members.length; i++) {
      if (i === timeAt) continue
      const { columns, level } = members[i]
      const start = words[at]
      const kind = words[at + 1] >>> SENT_KIND_SHIFT
      const end = words[at + 1] & END_MASK
      at += 2
      if (kind === sentKind.number) {
        const value = rows.numbers[start]
        for (let k = 0; k < columns.length; k++) columns[k].of(tail).addNumber(row, value)
        level?.add(tail, row, value)
      } else if (kind === sentKind.value || kind === sentKind.wide) {
        const value = kind === sentKind.value ? rows.values[start] : utf8(bytes, start, end)
        for (let k = 0; k < columns.length; k++) columns[k].of(tail).add(row, value)
        level?.add(tail, row, value)
      } else {
        let source = bytes
        let [first, last] = [start, end]
        if (kind === sentKind.side) source = rows.side
        else if (kind === sentKind.hex) {
          source = this.#hex
          last = writeHex(source, bytes, start, end)
          first = 0
        }
        for (let k = 0; k < columns.length; k++) columns[k].of(tail).addAscii(row, source, first, last)
        level?.addAscii(tail, row, source, first, last)
      }
    }
    if (defaultLevel !== undefined) defaultLevel.column.of(tail).add(row, defaultLevel.level)
    sink.endRow(tail)
  }

  #placeShared(
    tail: Tail,
    row: number,
    { columns, level }: PlacedMember,
    { group, codes }: PlacedGroup,
    i: number,
  ): void {
    const value = group.values[i]
    const known = (codes[i] ??= [])
    for (let k = 0; k < columns.length; k++) {
      const builder = columns[k].of(tail)
      if (builder.mode !== 'codes') {
        builder.add(row, value)
        continue
      }
      const { dictionary } = builder.field
      let code = known[k] ?? 0
      if (code === 0 || dictionary.isForgotten(code)) {
        code = dictionary.entries.intern(value)
        known[k] = code
      }
      builder.addCode(row, code)
    }
    level?.add(tail, row, value)
  }

  #appendRecord(record: MutableRow, nowNs: bigint, times: RecordFaultCount): void {
    const { hasTime, unreadableTime } = appendRecord(this.#sink, record, { nowNs, options: this.#options })
    if (!hasTime) times.add(unreadableTime, () => record)
  }
}

/** Writes the hexadecimal digits of bytes `[start, end)` to the start of `target`; returns the number of digits. */
function writeHex(target: Bytes, bytes: Bytes, start: number, end: number): number {
  let at = 0
  for (let i = start; i < end; i++) {
    target[at++] = HEX[bytes[i] >> 4]
    target[at++] = HEX[bytes[i] & 15]
  }
  return at
}
