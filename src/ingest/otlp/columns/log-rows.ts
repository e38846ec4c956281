import { SluiceError, type Turns } from '../../../base/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import { MOST_HEX_BYTES, MOST_SENT_BYTES, recordFault, sentKind, type SentRows } from '../../../store/index.ts'
import { PartCount } from '../../part-count.ts'
import { SentBytes } from '../../sent-bytes.ts'
import { integerOf } from '../attributes.ts'
import { levelOf, logRow } from '../logs.ts'
import { readLog } from '../read-log.ts'
import { RecordsReader } from '../records-reader.ts'
import { LeftOut, countParts, type SharedFields } from '../sent-records.ts'
import { RowWriter, type Group, type Key } from './row-writer.ts'
import { MAX_KNOWN_LEVELS, MAX_LEVEL_BYTES, MAX_COLUMN_ROW_CHARS, MAX_UNREAD_FIELDS } from '../../tuning.ts'

/** Rows of an export that wait to be stored, and the records that are left out of it. */
export interface ReadRows {
  readonly rows: SentRows
  readonly leftOut: LeftOut
}

/** A level as it was sent, and as it is kept. */
interface KnownLevel {
  readonly severity: number
  readonly text: Uint8Array
  /** ASCII of the side memory; `undefined` for none. */
  readonly level: { readonly start: number; readonly end: number } | undefined
}

/**
 * Reads an export of logs record by record into rows whose values stay where they lie. Whatever is unusual in a record (lists and
 * maps, a name twice, fields in another wire type) has it read as an object instead, so that both ways give the same rows.
 */
export class LogRows extends SentBytes {
  readonly #writer = new RowWriter(this.bytes)
  /** Parts of the record that is being read. */
  #partCount = 0
  readonly #parts = countParts()
  readonly #reader: RecordsReader
  readonly #shared: SharedFields[] = []
  readonly #level = this.#writer.key('level')
  readonly #traceId = this.#writer.key('trace_id')
  readonly #spanId = this.#writer.key('span_id')
  readonly #eventName = this.#writer.key('event.name')
  readonly #content = this.#writer.key('content')
  readonly #levels: KnownLevel[] = []

  constructor(bytes: Uint8Array) {
    super(bytes)
    this.#reader = new RecordsReader(bytes, this.#parts)
  }

  /** Throws an Error on bytes that are not an export. */
  *read(): Turns<ReadRows> {
    const leftOut = new LeftOut()
    const parts = this.#parts
    const { reader } = this.#reader
    for (const {
      shared,
      place: [start, end],
    } of this.#reader.scopes()) {
      this.#shared.push(shared)
      const group = this.#writer.addGroup(sharedRow(shared))
      for (let at = start; at < end;) {
        const to = this.#reader.message(at, end, 2)
        if (to === -1) {
          at = reader.pos
          continue
        }
        if (parts.isTurn()) yield
        leftOut.next(this.#record(reader.pos, to, group, shared))
        at = to
      }
    }
    return { rows: this.#rows(), leftOut }
  }

  /** Why it is left out. */
  #record(start: number, end: number, group: Group, shared: SharedFields): string | undefined {
    const writer = this.#writer
    this.#partCount = 0
    writer.begin(group)
    if (end < MOST_SENT_BYTES && this.#write(start, end) && writer.chars <= MAX_COLUMN_ROW_CHARS) {
      this.#parts.add(this.#partCount)
      writer.end(start, end)
      return undefined
    }
    const row = this.#objectOrFault(start, end, shared)
    // One without a value has a time at least.
    const fault = typeof row === 'string' ? row : row.size === 0 ? undefined : recordFault(row)
    if (fault === undefined) writer.endAsObject(start, end)
    return fault
  }

  #objectOrFault(start: number, end: number, shared: SharedFields): MutableRow | string {
    try {
      return logRow(readLog(this.#reader, start, end), shared)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'ingest/too-many-parts-in-one') return error.message
      throw error
    }
  }

  #rows(): SentRows {
    const { bytes } = this
    const writer = this.#writer
    const { side, written, rowCount, numbers, values, forms, groups } = writer
    // They were counted already.
    const again = new RecordsReader(bytes, new PartCount(Infinity))
    const record = (group: number, start: number, end: number): MutableRow => {
      again.parts.begin()
      const shared = this.#shared[group]
      return logRow(readLog(again, start, end), shared)
    }
    return { bytes, side, words: written, rowCount, numbers, values, forms, groups, record }
  }

  /** Writes a record into the row; false when it has to be read as an object. */
  #write(start: number, end: number): boolean {
    const { bytes } = this
    const writer = this.#writer
    let [timeHigh, timeLow, observedHigh, observedLow] = [0, 0, 0, 0]
    let severity = 0
    // Of texts and ids: where they begin and end, 0 and 0 where there are none.
    let [levelStart, levelEnd, bodyStart, bodyEnd, traceStart, traceEnd] = [0, 0, 0, 0, 0, 0]
    let [spanStart, spanEnd, eventStart, eventEnd] = [0, 0, 0, 0]
    let at = start
    while (at < end) {
      const tag = bytes[at++]
      if ((tag & 7) === 2) {
        this.at = at
        const length = this.length()
        const from = this.at
        const to = from + length
        if (!(to <= end)) return false
        if (tag === 0x32) {
          if (!this.#attribute(from, to)) return false
        } else if (tag === 0x1a) [levelStart, levelEnd] = [from, to]
        else if (tag === 0x2a) [bodyStart, bodyEnd] = [from, to]
        else if (tag === 0x4a) [traceStart, traceEnd] = [from, to]
        else if (tag === 0x52) [spanStart, spanEnd] = [from, to]
        else if (tag === 0x62) [eventStart, eventEnd] = [from, to]
        else return false
        at = to
      } else if (tag === 0x09 || tag === 0x59) {
        if (at + 8 > end) return false
        if (tag === 0x09) [timeLow, timeHigh] = [this.word(at), this.word(at + 4)]
        else [observedLow, observedHigh] = [this.word(at), this.word(at + 4)]
        at += 8
      } else if (tag === 0x10) {
        severity = bytes[at++]
        if (severity >= 0x80) return false
      } else if (tag === 0x38) {
        if (bytes[at++] >= 0x80 || !this.#unread()) return false
      } else if (tag === 0x45) {
        at += 4
        if (!this.#unread()) return false
      } else return false
    }
    if (at !== end) return false
    if (timeHigh === 0 && timeLow === 0) [timeHigh, timeLow] = [observedHigh, observedLow]
    if ((timeHigh !== 0 || timeLow !== 0) && !writer.addTime(timeHigh, timeLow)) return false
    return (
      this.#addLevel(severity, levelStart, levelEnd) &&
      this.#id(this.#traceId, traceStart, traceEnd) &&
      this.#id(this.#spanId, spanStart, spanEnd) &&
      (eventStart === eventEnd || this.#text(this.#eventName, eventStart, eventEnd)) &&
      this.#value(this.#content, bodyStart, bodyEnd)
    )
  }

  #addLevel(severity: number, start: number, end: number): boolean {
    const known = this.#knownLevel(severity, start, end)
    if (known === undefined) return false
    const { level } = known
    return level === undefined || this.#writer.add(this.#level, sentKind.side, level.start, level.end)
  }

  /** `undefined` for one that is not ASCII. */
  #knownLevel(severity: number, start: number, end: number): KnownLevel | undefined {
    const { bytes } = this
    const writer = this.#writer
    const length = end - start
    for (const known of this.#levels) {
      if (known.severity !== severity || known.text.length !== length) continue
      let i = 0
      while (i < length && known.text[i] === bytes[start + i]) i++
      if (i === length) return known
    }
    const text = bytes.subarray(start, end)
    if (length > MAX_LEVEL_BYTES || text.some((byte) => byte >= 0x80)) return undefined
    const level = levelOf({ severityNumber: severity, severityText: String.fromCharCode(...text) })
    const at = level === undefined ? 0 : writer.addSide(level)
    const made = { severity, text, level: level === undefined ? undefined : { start: at, end: at + level.length } }
    if (this.#levels.length === MAX_KNOWN_LEVELS) this.#levels.length = 0
    this.#levels.push(made)
    return made
  }

  /** Adds the attribute at `[start, end)`; false when it is unusual. */
  #attribute(start: number, end: number): boolean {
    const { bytes } = this
    if (bytes[start] !== 0x0a || ++this.#partCount > MAX_UNREAD_FIELDS * 2) return false
    this.at = start + 1
    const keyLength = this.length()
    const keyStart = this.at
    const keyEnd = keyStart + keyLength
    if (!(keyEnd < end) || bytes[keyEnd] !== 0x12) return false
    const key = this.#writer.keyAt(keyStart, keyEnd)
    this.at = keyEnd + 1
    const length = this.length()
    return key !== undefined && this.at + length === end && this.#value(key, this.at, end)
  }

  /** Adds the value of a message at `[start, end)`, nothing where it is empty; false when it is unusual. */
  #value(key: Key, start: number, end: number): boolean {
    if (start === end) return true
    const { bytes } = this
    const writer = this.#writer
    this.at = start + 1
    switch (bytes[start]) {
      case 0x0a: {
        const length = this.length()
        return this.at + length === end && this.#text(key, this.at, end)
      }
      case 0x10:
        return start + 2 === end && bytes[start + 1] < 2 && writer.addValue(key, bytes[start + 1] === 1)
      case 0x18:
        return this.#integer(key, end)
      case 0x21:
        return start + 9 === end && writer.addNumber(key, this.view.getFloat64(start + 1, true))
      default:
        return false
    }
  }

  #text(key: Key, start: number, end: number): boolean {
    const { bytes } = this
    let all = 0
    for (let i = start; i < end; i++) all |= bytes[i]
    return this.#writer.add(key, all < 0x80 ? sentKind.ascii : sentKind.wide, start, end)
  }

  #integer(key: Key, end: number): boolean {
    const { bytes } = this
    const start = this.at
    let value = 0
    let scale = 1
    // Of 49 bits at most; negative ones have ten bytes.
    while (this.at < end && this.at - start < 7) {
      const byte = bytes[this.at++]
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return this.at === end && this.#writer.addNumber(key, value)
      scale *= 128
    }
    const { reader } = this.#reader
    reader.pos = start
    const long = integerOf(reader.int64())
    if (reader.pos !== end || long === null) return false
    return typeof long === 'number' ? this.#writer.addNumber(key, long) : this.#writer.addValue(key, long)
  }

  /** Adds an id as hex, nothing where it is absent or all zero; false when it is unusual. */
  #id(key: Key, start: number, end: number): boolean {
    let all = 0
    for (let i = start; i < end; i++) all |= this.bytes[i]
    return all === 0 || (end - start <= MOST_HEX_BYTES && this.#writer.add(key, sentKind.hex, start, end))
  }

  /** Counts a field that is not read; false when there are unusually many of them. */
  #unread(): boolean {
    this.#parts.pass()
    return ++this.#partCount <= MAX_UNREAD_FIELDS
  }
}

/** What rows of a scope begin with. */
function sharedRow({ resource, scopeName }: SharedFields): MutableRow {
  const row: MutableRow = new Map(resource)
  if (scopeName !== undefined && scopeName !== '') row.set('scope.name', scopeName)
  return row
}
