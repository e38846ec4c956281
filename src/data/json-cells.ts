import { formatInstantParts } from '../base/index.ts'
import { hasBit } from './bitmap.ts'
import {
  latin1,
  valueAt,
  valueTag,
  type Codes,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type TextColumn,
  type TimeColumn,
} from './columns/index.ts'
import { jsonPiece, type JsonBytes, type JsonPiece } from './json-bytes.ts'
import type { Value } from './value.ts'

/**
 * The rows of one column as JSON, as texts or as bytes that are the same. Implemented by classes: what a closure is compiled to goes with
 * the last closure of its kind at the next collection, and has to be made again for the next answer.
 */
export interface JsonCell {
  /** `undefined` when the row lacks the field. */
  textAt(row: number): string | undefined
  /** Writes the key and the value; false, with nothing written, when the row lacks the field. */
  writeAt(row: number, into: JsonBytes): boolean
}

/** The JSON of one value. */
type WriteValue = (value: Value) => string

const DOT = 0x2e
const timeEnd = jsonPiece('Z"')
const pad2 = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const pad3 = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/** Texts of a larger dictionary are not kept, nor longer ones: the cache is no larger than a batch. */
const MAX_KEPT = 16_384
const MAX_KEPT_CHARS = 1024
/** Longer ones are written as fast from the dictionary. */
const MAX_PIECE_BYTES = 128

/** Writes cells of columns as JSON; what many rows share is written once. */
export class JsonCells {
  readonly #write: WriteValue
  readonly #byCode = new Map<Dictionary, KeptCells>()

  constructor(write: WriteValue) {
    this.#write = write
  }

  /** `key`: what bytes of a cell begin with; nothing unless given. */
  of(column: Column, key = ''): JsonCell {
    const piece = jsonPiece(key)
    switch (column.kind) {
      case 'dictionary':
        return new CodeCell(column, this.#keptOf(column.dictionary, key), piece, this.#write)
      case 'time':
        return new TimeCell(column, piece)
      case 'text':
        return new TextCell(column, piece, this.#write)
      case 'gathered':
        return new GatheredCell(this.of(column.source, key), column.rows)
      default:
        return new ValueCell(column, piece, this.#write)
    }
  }

  #keptOf(dictionary: Dictionary, key: string): KeptCells | undefined {
    if (dictionary.size > MAX_KEPT) return undefined
    let kept = this.#byCode.get(dictionary)
    // Two fields with one dictionary are rare: only their texts are the same.
    if (kept?.key !== key) this.#byCode.set(dictionary, (kept = { key, texts: kept?.texts ?? [], pieces: [] }))
    return kept
  }
}

/** What entries of a dictionary are written as, by code, as far as that was asked for. */
interface KeptCells {
  readonly key: string
  readonly texts: (string | undefined)[]
  readonly pieces: (JsonPiece | undefined)[]
}

class CodeCell implements JsonCell {
  readonly #codes: Codes
  readonly #dictionary: Dictionary
  /** `undefined` when there are too many to keep. */
  readonly #kept: KeptCells | undefined
  readonly #key: JsonPiece
  readonly #write: WriteValue

  constructor({ codes, dictionary }: DictionaryColumn, kept: KeptCells | undefined, key: JsonPiece, write: WriteValue) {
    this.#codes = codes
    this.#dictionary = dictionary
    this.#kept = kept
    this.#key = key
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const code = this.#codes[row]
    if (code === 0) return undefined
    const kept = this.#kept?.texts[code]
    if (kept !== undefined) return kept
    const text = this.#write(this.#dictionary.valueAt(code))
    if (this.#kept !== undefined && text.length <= MAX_KEPT_CHARS) this.#kept.texts[code] = text
    return text
  }

  writeAt(row: number, into: JsonBytes): boolean {
    const code = this.#codes[row]
    if (code === 0) return false
    const kept = this.#kept?.pieces[code]
    if (kept !== undefined) {
      into.add(kept)
      return true
    }
    const start = into.length
    into.add(this.#key)
    if (!this.#quotedAt(code, into)) into.text(this.#write(this.#dictionary.valueAt(code)))
    if (this.#kept !== undefined && into.length - start <= MAX_PIECE_BYTES)
      this.#kept.pieces[code] = into.pieceFrom(start)
    return true
  }

  #quotedAt(code: number, into: JsonBytes): boolean {
    if (!this.#dictionary.isInMemory) return false
    const { tags, bytes, offsets } = this.#dictionary
    return tags[code] === valueTag.text && into.quoted(bytes, offsets[code], offsets[code + 1])
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

  writeAt(row: number, into: JsonBytes): boolean {
    return this.#source.writeAt(this.#rows[row], into)
  }
}

class ValueCell implements JsonCell {
  readonly #column: Column
  readonly #key: JsonPiece
  readonly #write: WriteValue

  constructor(column: Column, key: JsonPiece, write: WriteValue) {
    this.#column = column
    this.#key = key
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const value = valueAt(this.#column, row)
    return value === null ? undefined : this.#write(value)
  }

  writeAt(row: number, into: JsonBytes): boolean {
    const text = this.textAt(row)
    if (text === undefined) return false
    into.add(this.#key)
    into.text(text)
    return true
  }
}

class TextCell implements JsonCell {
  readonly #column: TextColumn
  readonly #key: JsonPiece
  readonly #write: WriteValue

  constructor(column: TextColumn, key: JsonPiece, write: WriteValue) {
    this.#column = column
    this.#key = key
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const { parts, validity, wide } = this.#column
    if (validity !== undefined && !hasBit(validity, row)) return undefined
    if (wide !== undefined && hasBit(wide, row)) return this.#write(valueAt(this.#column, row))
    if (parts !== undefined) {
      // Only what the rows stand in is read.
      const { bytes, start, end } = parts.at(row)
      return JSON.stringify(latin1(bytes, start, end))
    }
    const { bytes, offsets } = this.#column
    return JSON.stringify(latin1(bytes, offsets[row], offsets[row + 1]))
  }

  writeAt(row: number, into: JsonBytes): boolean {
    const { parts, validity } = this.#column
    if (validity !== undefined && !hasBit(validity, row)) return false
    into.add(this.#key)
    let isWritten: boolean
    if (parts === undefined) {
      const { bytes, offsets } = this.#column
      isWritten = into.quoted(bytes, offsets[row], offsets[row + 1])
    } else {
      const { bytes, start, end } = parts.at(row)
      isWritten = into.quoted(bytes, start, end)
    }
    if (!isWritten) into.text(this.#write(valueAt(this.#column, row)))
    return true
  }
}

/** Times as `formatRfc3339` writes them; rows of one minute share its text. */
class TimeCell implements JsonCell {
  readonly #column: TimeColumn
  readonly #baseSeconds: number
  readonly #baseNanos: number
  readonly #key: JsonPiece
  #knownMinute = NaN
  #prefix = ''
  #prefixPiece: JsonPiece | undefined
  #seconds = 0
  #millis = 0
  #micros = 0
  #nanos = 0

  constructor(column: TimeColumn, key: JsonPiece) {
    this.#column = column
    this.#key = key
    this.#baseSeconds = Number(column.baseNs / 1_000_000_000n)
    this.#baseNanos = Number(column.baseNs % 1_000_000_000n)
  }

  textAt(row: number): string | undefined {
    if (!this.#isAt(row)) return undefined
    return `${this.#prefix}${pad2[this.#seconds]}.${pad3[this.#millis]}${pad3[this.#micros]}${pad3[this.#nanos]}Z"`
  }

  writeAt(row: number, into: JsonBytes): boolean {
    if (!this.#isAt(row)) return false
    into.add(this.#key)
    into.add((this.#prefixPiece ??= jsonPiece(this.#prefix)))
    into.twoDigits(this.#seconds)
    into.byte(DOT)
    into.threeDigits(this.#millis)
    into.threeDigits(this.#micros)
    into.threeDigits(this.#nanos)
    into.add(timeEnd)
    return true
  }

  /** Takes the time of a row apart; false when it has none. */
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
      this.#prefixPiece = undefined
    }
    this.#seconds = seconds - minute * 60
    this.#millis = Math.floor(nanos / 1e6)
    const rest = nanos - this.#millis * 1e6
    this.#micros = Math.floor(rest / 1000)
    this.#nanos = rest - this.#micros * 1000
    return true
  }
}
