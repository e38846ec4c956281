import { formatInstantParts } from '../base/index.ts'
import { hasBit } from './bitmap.ts'
import {
  latin1,
  valueAt,
  type Codes,
  type Column,
  type Dictionary,
  type TextColumn,
  type TimeColumn,
} from './columns/index.ts'
import type { Value } from './value.ts'

/**
 * The rows of one column as JSON. Implemented by classes: what a closure is compiled to goes with the last closure of its kind at the
 * next collection, and has to be made again for the next answer.
 */
export interface JsonCell {
  /** `undefined` when the row lacks the field. */
  textAt(row: number): string | undefined
}

/** The JSON of one value. */
type WriteValue = (value: Value) => string

const pad3 = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/** Texts of a larger dictionary are not kept, nor longer ones: the cache is no larger than a batch. */
const MAX_KEPT = 16_384
const MAX_KEPT_CHARS = 1024

/** Writes cells of columns as JSON; what many rows share is written once. */
export class JsonCells {
  readonly #write: WriteValue
  readonly #byCode = new Map<Dictionary, (string | undefined)[]>()

  constructor(write: WriteValue) {
    this.#write = write
  }

  of(column: Column): JsonCell {
    switch (column.kind) {
      case 'dictionary':
        return new CodeCell(column.codes, column.dictionary, this.#keptTexts(column.dictionary), this.#write)
      case 'time':
        return new TimeCell(column)
      case 'text':
        return new TextCell(column, this.#write)
      case 'gathered':
        return new GatheredCell(this.of(column.source), column.rows)
      default:
        return new ValueCell(column, this.#write)
    }
  }

  #keptTexts(dictionary: Dictionary): (string | undefined)[] | undefined {
    if (dictionary.size > MAX_KEPT) return undefined
    let texts = this.#byCode.get(dictionary)
    if (texts === undefined) {
      texts = []
      this.#byCode.set(dictionary, texts)
    }
    return texts
  }
}

class CodeCell implements JsonCell {
  readonly #codes: Codes
  readonly #dictionary: Dictionary
  /** By code; `undefined` when there are too many to keep. */
  readonly #texts: (string | undefined)[] | undefined
  readonly #write: WriteValue

  constructor(codes: Codes, dictionary: Dictionary, texts: (string | undefined)[] | undefined, write: WriteValue) {
    this.#codes = codes
    this.#dictionary = dictionary
    this.#texts = texts
    this.#write = write
  }

  textAt(row: number): string | undefined {
    const code = this.#codes[row]
    if (code === 0) return undefined
    const kept = this.#texts?.[code]
    if (kept !== undefined) return kept
    const text = this.#write(this.#dictionary.valueAt(code))
    if (this.#texts !== undefined && text.length <= MAX_KEPT_CHARS) this.#texts[code] = text
    return text
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
}

class TextCell implements JsonCell {
  readonly #column: TextColumn
  readonly #write: WriteValue

  constructor(column: TextColumn, write: WriteValue) {
    this.#column = column
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
}

/** Times as `formatRfc3339` writes them; rows of one second share its text. */
class TimeCell implements JsonCell {
  readonly #column: TimeColumn
  readonly #baseSeconds: number
  readonly #baseNanos: number
  #knownSecond = NaN
  #prefix = ''

  constructor(column: TimeColumn) {
    this.#column = column
    this.#baseSeconds = Number(column.baseNs / 1_000_000_000n)
    this.#baseNanos = Number(column.baseNs % 1_000_000_000n)
  }

  textAt(row: number): string | undefined {
    const { deltas, validity } = this.#column
    if (validity !== undefined && !hasBit(validity, row)) return undefined
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
    if (seconds !== this.#knownSecond) {
      this.#knownSecond = seconds
      this.#prefix = `"${formatInstantParts(seconds, 0).slice(0, -10)}`
    }
    const millis = Math.floor(nanos / 1e6)
    const rest = nanos - millis * 1e6
    const micros = Math.floor(rest / 1000)
    return `${this.#prefix}${pad3[millis]}${pad3[micros]}${pad3[rest - micros * 1000]}Z"`
  }
}
