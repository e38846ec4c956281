import type protobuf from 'protobufjs'
import { SluiceError, type StepwiseTask } from '../../../base/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import { MOST_HEX_BYTES, MOST_SENT_BYTES, recordFault, sentKind, type SentRows } from '../../../store/index.ts'
import { PartCount } from '../../part-count.ts'
import { exactInteger, type MessageReader } from '../message-reader.ts'
import { SentFields } from '../sent-fields.ts'
import { RecordsReader } from '../records-reader.ts'
import { LeftOut, countParts, type SharedFields } from '../sent-records.ts'
import { MAX_COLUMN_ROW_CHARS, MAX_COLUMN_FIELDS } from '../../tuning.ts'
import { SentRowWriter, type SentRowGroup, type Key } from './row-writer.ts'

/** The rows of an export that will be stored, and the records that were left out. */
export interface DecodedRows {
  readonly rows: SentRows
  readonly leftOut: LeftOut
}

/**
 * Reads an export record by record into rows whose values stay in the body. A record with anything unusual (lists and
 * maps, a duplicate name, a field in another wire type) is read as an object instead. Both ways give the same rows.
 */
export abstract class RecordRows extends SentFields {
  protected readonly writer: SentRowWriter
  /** The number of parts of the record that is being read. */
  protected partCount = 0
  readonly #parts = countParts()
  readonly #reader: RecordsReader
  readonly #shared: SharedFields[] = []
  /** Offsets of words in the writer's side memory, by word. */
  readonly #words = new Map<string, number>()

  constructor(bytes: Uint8Array) {
    super(bytes)
    this.writer = new SentRowWriter(this.bytes)
    this.#reader = new RecordsReader(bytes, this.#parts)
  }

  /** Writes a record into `writer`; returns false when the record must be read as an object. */
  protected abstract write(start: number, end: number, group: SentRowGroup): boolean

  /** Returns the fields with which all rows of a scope begin. */
  protected abstract sharedRow(shared: SharedFields): MutableRow

  /** Returns a record as an object, or a string that says why it is left out. */
  protected abstract objectOf(
    reader: MessageReader,
    start: number,
    end: number,
    shared: SharedFields,
  ): MutableRow | string

  /** Reads the export. Throws an Error when the bytes are not an export. */
  *read(): StepwiseTask<DecodedRows> {
    const leftOut = new LeftOut()
    const parts = this.#parts
    const { reader } = this.#reader
    for (const {
      shared,
      range: [start, end],
    } of this.#reader.scopes()) {
      this.#shared.push(shared)
      const group = this.writer.addGroup(this.sharedRow(shared))
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

  /** Writes a record; returns the reason if it is left out. */
  #record(start: number, end: number, group: SentRowGroup, shared: SharedFields): string | undefined {
    const { writer } = this
    this.partCount = 0
    writer.begin(group)
    if (end < MOST_SENT_BYTES && this.write(start, end, group) && writer.chars <= MAX_COLUMN_ROW_CHARS) {
      this.#parts.add(this.partCount)
      writer.end(start, end)
      return undefined
    }
    const row = this.#objectOrFault(start, end, shared)
    // A record without a value still has a time.
    const fault = typeof row === 'string' ? row : row.size === 0 ? undefined : recordFault(row)
    if (fault === undefined) writer.endAsObject(start, end)
    return fault
  }

  #objectOrFault(start: number, end: number, shared: SharedFields): MutableRow | string {
    try {
      return this.objectOf(this.#reader, start, end, shared)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'ingest/too-many-parts-in-one') return error.message
      throw error
    }
  }

  #rows(): SentRows {
    const { bytes, writer } = this
    const { side, written, rowCount, numbers, values, forms, groups } = writer
    // The parts have been counted before, so this reader has no limit.
    const again = new RecordsReader(bytes, new PartCount(Infinity))
    const record = (group: number, start: number, end: number): MutableRow => {
      again.parts.begin()
      const shared = this.#shared[group]
      const row = this.objectOf(again, start, end, shared)
      if (typeof row === 'string') throw new Error(row)
      return row
    }
    return { bytes, side, words: written, rowCount, numbers, values, forms, groups, record }
  }

  /** Returns the members of the message at `[start, end)`, whose parts are counted. */
  protected message(type: protobuf.Type, start: number, end: number): object {
    return this.#reader.read(type, start, end)
  }

  /** Adds an attribute to the row. Returns false if the record must be read as an object. */
  protected override attribute(_: number, start: number, end: number): boolean {
    const { bytes } = this
    if (bytes[start] !== 0x0a || ++this.partCount > MAX_COLUMN_FIELDS * 2) return false
    this.at = start + 1
    const keyLength = this.length()
    const keyStart = this.at
    const keyEnd = keyStart + keyLength
    if (!(keyEnd < end) || bytes[keyEnd] !== 0x12) return false
    const key = this.writer.keyAt(keyStart, keyEnd)
    this.at = keyEnd + 1
    const length = this.length()
    return key !== undefined && this.at + length === end && this.value(key, this.at, end)
  }

  /**
   * Adds the value of the message at `[start, end)`; nothing if it is empty. Returns false if the record must be read
   * as an object.
   */
  protected value(key: Key, start: number, end: number): boolean {
    if (start === end) return true
    const { writer, bytes } = this
    this.at = start + 1
    switch (bytes[start]) {
      case 0x0a: {
        const length = this.length()
        return this.at + length === end && this.text(key, this.at, end)
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

  protected text(key: Key, start: number, end: number): boolean {
    const { bytes } = this
    let all = 0
    for (let i = start; i < end; i++) all |= bytes[i]
    return this.writer.add(key, all < 0x80 ? sentKind.ascii : sentKind.wide, start, end)
  }

  /**
   * Adds an ASCII word from the side memory. The number of different words must be small, since the side memory keeps
   * them all.
   */
  protected addWord(key: Key, word: string): boolean {
    let at = this.#words.get(word)
    if (at === undefined) {
      at = this.writer.addSide(word)
      this.#words.set(word, at)
    }
    return this.writer.add(key, sentKind.side, at, at + word.length)
  }

  #integer(key: Key, end: number): boolean {
    const { bytes } = this
    const start = this.at
    let value = 0
    let scale = 1
    // The loop reads at most 49 bits. Longer numbers, such as negative ones with ten bytes, are read below.
    while (this.at < end && this.at - start < 7) {
      const byte = bytes[this.at++]
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return this.at === end && this.writer.addNumber(key, value)
      scale *= 128
    }
    const { reader } = this.#reader
    reader.pos = start
    const long = exactInteger(reader.int64())
    if (reader.pos !== end) return false
    return typeof long === 'number' ? this.writer.addNumber(key, long) : this.writer.addValue(key, long)
  }

  /** Adds an id as hex; nothing if it is absent or all zero. Returns false if the record must be read as an object. */
  protected id(key: Key, start: number, end: number): boolean {
    let all = 0
    for (let i = start; i < end; i++) all |= this.bytes[i]
    return all === 0 || (end - start <= MOST_HEX_BYTES && this.writer.add(key, sentKind.hex, start, end))
  }

  protected override unread(): boolean {
    this.#parts.pass()
    return ++this.partCount <= MAX_COLUMN_FIELDS
  }
}
