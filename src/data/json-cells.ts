import { MINUTE_NS, formatInstantParts, type Bytes } from '../base/index.ts'
import { hasBit } from './bitmap.ts'
import {
  latin1,
  valueAt,
  valueTag,
  type Codes,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type Float64Column,
  type TextColumn,
  type TextReader,
  type TimeColumn,
} from './columns/index.ts'
import type { JsonDialect } from './json-dialect.ts'
import { MOST_KEPT_CODES, NO_TEXT, type JsonPieces } from './json-pieces.ts'
import type { Value } from './value.ts'

/**
 * Writes the values of one column as JSON, as strings or as bytes (both give the same JSON). Implemented by classes
 * instead of closures, because the runtime discards the compiled code of closures when the last one of a kind is freed.
 */
export interface JsonCell {
  /** Returns the JSON of a value; `undefined` if the row does not have the field. */
  textAt(row: number): string | undefined
  /**
   * Writes the values of the first `count` entries of `rows` and records the byte range of each in `pieces`. Returns
   * the number of rows that fit.
   */
  place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number
}

/** Returns the JSON of one value; `undefined` if the value is omitted from the object. */
type WriteValue = (value: Value) => string | undefined

const minuteNs = Number(MINUTE_NS)
const pad2 = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const pad3 = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/** The longest JSON string that is cached, in UTF-16 units. The limit keeps the cache no larger than a batch. */
const MAX_KEPT_CHARS = 1024

/** Writes column values as JSON. Each value of a dictionary is written only once. */
export class JsonCells {
  readonly #dialect: JsonDialect
  readonly #write: WriteValue
  readonly #byCode = new Map<Dictionary, (string | undefined)[]>()

  /** `write` returns the JSON of a value in the dialect. */
  constructor(dialect: JsonDialect, write: WriteValue) {
    this.#dialect = dialect
    this.#write = write
  }

  of(column: Column): JsonCell {
    switch (column.kind) {
      case 'dictionary':
        return new CodeCell(column, this.#dialect, this.#textsOf(column.dictionary), this.#write)
      case 'time':
        return this.#dialect === 'native' ? new TimeCell(column) : new ValueCell(column, this.#write)
      case 'text':
        return new TextCell(column, this.#dialect, this.#write)
      case 'float64':
        return this.#dialect === 'native' ? new NumberCell(column, this.#write) : new ValueCell(column, this.#write)
      case 'gathered':
        return new GatheredCell(this.of(column.source), column.rows)
      default:
        return new ValueCell(column, this.#write)
    }
  }

  #textsOf(dictionary: Dictionary): (string | undefined)[] | undefined {
    if (dictionary.size > MOST_KEPT_CODES) return undefined
    let texts = this.#byCode.get(dictionary)
    if (texts === undefined) this.#byCode.set(dictionary, (texts = []))
    return texts
  }
}

/** Implements `place` for a cell by calling `textAt` for each row. */
function placeTexts(cell: JsonCell, rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
  const { stride } = pieces
  for (let i = 0, range = 2 * column; i < count; i++, range += stride) {
    const text = cell.textAt(rows[i])
    if (text === undefined) pieces.none(range)
    else if (!pieces.json(range, text)) return i
  }
  return count
}

class CodeCell implements JsonCell {
  readonly #codes: Codes
  readonly #dictionary: Dictionary
  readonly #dialect: JsonDialect
  /**
   * The JSON of dictionary entries by code, filled in on first use; `undefined` if there are too many entries to cache.
   */
  readonly #texts: (string | undefined)[] | undefined
  readonly #write: WriteValue

  constructor(
    { codes, dictionary }: DictionaryColumn,
    dialect: JsonDialect,
    texts: (string | undefined)[] | undefined,
    write: WriteValue,
  ) {
    this.#codes = codes
    this.#dictionary = dictionary
    this.#dialect = dialect
    this.#texts = texts
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const code = this.#codes[row]
    if (code === 0) return undefined
    const kept = this.#texts?.[code]
    if (kept !== undefined) return kept
    const text = this.#write(this.#dictionary.valueAt(code))
    if (this.#texts !== undefined && text !== undefined && text.length <= MAX_KEPT_CHARS) this.#texts[code] = text
    return text
  }

  place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    const kept = pieces.tableOf(this.#dictionary, this.#dialect)
    return kept === undefined
      ? this.#placeStored(rows, count, pieces, column)
      : this.#placeKept(rows, count, pieces, column, kept)
  }

  #placeKept(rows: Uint32Array, count: number, pieces: JsonPieces, column: number, kept: Uint32Array): number {
    const codes = this.#codes
    const { ranges, stride } = pieces
    for (let i = 0, range = 2 * column; i < count; i++, range += stride) {
      const code = codes[rows[i]]
      const length = kept[2 * code + 1]
      if (length > 0 || code === 0) {
        ranges[range] = kept[2 * code]
        ranges[range + 1] = length
        continue
      }
      const json = this.#write(this.#dictionary.valueAt(code))
      if (json === undefined) pieces.none(range)
      else if (!pieces.entry(range, kept, code, json)) return i
    }
    return count
  }

  #placeStored(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    if (!this.#dictionary.isInMemory) return placeTexts(this, rows, count, pieces, column)
    const codes = this.#codes
    const omitsEmpty = this.#dialect === 'logsql'
    const { tags, bytes, offsets } = this.#dictionary
    const { starts, ends, stride } = pieces
    for (let i = 0, range = 2 * column; i < count; i++, range += stride) {
      const code = codes[rows[i]]
      starts[i] = offsets[code]
      ends[i] = offsets[code + 1]
      const isText = tags[code] === valueTag.text
      const isLeftOut = code === 0 || (isText && omitsEmpty && starts[i] === ends[i])
      if (isText && !isLeftOut) continue
      starts[i] = ends[i] = NO_TEXT
      if (isLeftOut) pieces.none(range)
      else pieces.byValue(range)
    }
    return pieces.quote(column, rows, pieces.takeTexts(column, bytes, count), this)
  }
}

class GatheredCell implements JsonCell {
  readonly #source: JsonCell
  readonly #rows: Uint32Array

  constructor(source: JsonCell, rows: Uint32Array) {
    this.#source = source
    this.#rows = rows
  }

  textAt(row: number): string | undefined {
    return this.#source.textAt(this.#rows[row])
  }

  place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    const through = new Uint32Array(count)
    for (let i = 0; i < count; i++) through[i] = this.#rows[rows[i]]
    return this.#source.place(through, count, pieces, column)
  }
}

class ValueCell implements JsonCell {
  readonly #column: Column
  readonly #write: WriteValue

  constructor(column: Column, write: WriteValue) {
    this.#column = column
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const value = valueAt(this.#column, row)
    return value === null ? undefined : this.#write(value)
  }

  place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    return placeTexts(this, rows, count, pieces, column)
  }
}

class NumberCell extends ValueCell {
  readonly #column: Float64Column

  constructor(column: Float64Column, write: WriteValue) {
    super(column, write)
    this.#column = column
  }

  override place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    const { values } = this.#column
    const { numbers } = pieces
    // A missing row is NaN, which the kernel leaves to the caller.
    for (let i = 0; i < count; i++) numbers[i] = values[rows[i]]
    return pieces.writeNumbers(column, rows, count, this)
  }
}

class TextCell implements JsonCell {
  readonly #column: TextColumn
  readonly #omitsEmpty: boolean
  readonly #write: WriteValue

  constructor(column: TextColumn, dialect: JsonDialect, write: WriteValue) {
    this.#column = column
    this.#omitsEmpty = dialect === 'logsql'
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const { reader, validity, wide } = this.#column
    if (validity !== undefined && !hasBit(validity, row)) return undefined
    if (wide !== undefined && hasBit(wide, row)) return this.#write(valueAt(this.#column, row))
    if (reader !== undefined) {
      // Reads only the bytes of this row, not those of the whole column.
      const { bytes, start, end } = reader.at(row)
      return this.#textOf(bytes, start, end)
    }
    const { bytes, offsets } = this.#column
    return this.#textOf(bytes, offsets[row], offsets[row + 1])
  }

  #textOf(bytes: Bytes, start: number, end: number): string | undefined {
    return start === end && this.#omitsEmpty ? undefined : JSON.stringify(latin1(bytes, start, end))
  }

  place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    const { reader, validity } = this.#column
    if (reader !== undefined) return this.#placeFromReader(reader, rows, count, pieces, column)
    const omitsEmpty = this.#omitsEmpty
    const { bytes, offsets } = this.#column
    const { starts, ends, stride } = pieces
    for (let i = 0, range = 2 * column; i < count; i++, range += stride) {
      const row = rows[i]
      starts[i] = offsets[row]
      ends[i] = offsets[row + 1]
      const hasText = validity === undefined || hasBit(validity, row)
      if (hasText && !(omitsEmpty && starts[i] === ends[i])) continue
      starts[i] = ends[i] = NO_TEXT
      pieces.none(range)
    }
    return pieces.quote(column, rows, pieces.takeTexts(column, bytes, count), this)
  }

  #placeFromReader(reader: TextReader, rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    const { validity } = this.#column
    const { stride } = pieces
    let taken = 0
    for (let range = 2 * column; taken < count; taken++, range += stride) {
      const row = rows[taken]
      if (validity !== undefined && !hasBit(validity, row)) {
        pieces.none(range)
        continue
      }
      const { bytes, start, end } = reader.at(row)
      if (start === end && this.#omitsEmpty) pieces.none(range)
      else if (!pieces.takeText(range, bytes, start, end)) break
    }
    return pieces.quote(column, rows, taken, this)
  }
}

/**
 * Writes times as `formatRfc3339` does. The part up to the minute is formatted once for all rows of the same minute.
 */
class TimeCell implements JsonCell {
  readonly #column: TimeColumn
  readonly #baseSeconds: number
  readonly #baseNanos: number
  #knownMinute = NaN
  #prefix = ''
  #seconds = 0
  #nanos = 0

  constructor(column: TimeColumn) {
    this.#column = column
    this.#baseSeconds = Number(column.baseNs / 1_000_000_000n)
    this.#baseNanos = Number(column.baseNs % 1_000_000_000n)
  }

  textAt(row: number): string | undefined {
    if (!this.#isAt(row)) return undefined
    const millis = Math.floor(this.#nanos / 1e6)
    const rest = this.#nanos - millis * 1e6
    const micros = Math.floor(rest / 1000)
    return `${this.#prefix}${pad2[this.#seconds]}.${pad3[millis]}${pad3[micros]}${pad3[rest - micros * 1000]}Z"`
  }

  place(rows: Uint32Array, count: number, pieces: JsonPieces, column: number): number {
    const { deltas, validity } = this.#column
    const { numbers, stride } = pieces
    let begun = 0
    /** The start of the minute whose text is cached. */
    let startDelta = NaN
    for (let i = 0, range = 2 * column; i < count; i++, range += stride) {
      const row = rows[i]
      if (validity !== undefined && !hasBit(validity, row)) {
        pieces.none(range)
        numbers[i] = -1
        continue
      }
      const inMinute = deltas[row] - startDelta
      if (inMinute >= 0 && inMinute < minuteNs) {
        numbers[i] = inMinute
        continue
      }
      if (!pieces.writeTimes(column, begun, i, this.#prefix)) return begun
      begun = i
      this.#isAt(row)
      numbers[i] = this.#seconds * 1e9 + this.#nanos
      startDelta = deltas[row] - numbers[i]
    }
    return pieces.writeTimes(column, begun, count, this.#prefix) ? count : begun
  }

  /** Sets minute prefix, seconds and nanoseconds from the time of a row; returns false if the row has no time. */
  #isAt(row: number): boolean {
    const { deltas, validity } = this.#column
    if (validity !== undefined && !hasBit(validity, row)) return false
    const delta = deltas[row]
    const whole = Math.floor(delta / 1e9)
    let seconds = this.#baseSeconds + whole
    let nanos = this.#baseNanos + (delta - whole * 1e9)
    if (nanos >= 1e9) {
      nanos -= 1e9
      seconds++
    } else if (nanos < 0) {
      nanos += 1e9
      seconds--
    }
    const minute = Math.floor(seconds / 60)
    if (minute !== this.#knownMinute) {
      this.#knownMinute = minute
      this.#prefix = `"${formatInstantParts(minute * 60, 0).slice(0, -'00.000000000Z'.length)}`
    }
    this.#seconds = seconds - minute * 60
    this.#nanos = nanos
    return true
  }
}
