import { formatInstantParts } from '../base/index.ts'
import { hasBit } from './bitmap.ts'
import { latin1, valueAt, type Column, type Dictionary, type TextColumn, type TimeColumn } from './columns/index.ts'
import type { Value } from './value.ts'

/** The JSON text of one row of a column; `undefined` when the row lacks the field. */
export type JsonCell = (row: number) => string | undefined

const pad3 = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/** Texts of a larger dictionary are not kept, nor longer ones: the cache is no larger than a batch. */
const MAX_KEPT = 16_384
const MAX_KEPT_CHARS = 1024

/** Writes cells of columns as JSON; what many rows share is written once. */
export class JsonCells {
  readonly #write: (value: Value) => string
  readonly #byCode = new Map<Dictionary, (string | undefined)[]>()

  /** `write` gives the JSON of one value. */
  constructor(write: (value: Value) => string) {
    this.#write = write
  }

  of(column: Column): JsonCell {
    switch (column.kind) {
      case 'dictionary': {
        const { codes, dictionary } = column
        if (dictionary.size > MAX_KEPT) {
          return (row) => (codes[row] === 0 ? undefined : this.#write(dictionary.valueAt(codes[row])))
        }
        let known = this.#byCode.get(dictionary)
        if (known === undefined) {
          known = []
          this.#byCode.set(dictionary, known)
        }
        const texts = known
        return (row) => {
          const code = codes[row]
          if (code === 0) return undefined
          const kept = texts[code]
          if (kept !== undefined) return kept
          const text = this.#write(dictionary.valueAt(code))
          if (text.length <= MAX_KEPT_CHARS) texts[code] = text
          return text
        }
      }
      case 'time':
        return timeCell(column)
      case 'text':
        return this.#textCell(column)
      case 'gathered': {
        const cell = this.of(column.source)
        const { rows } = column
        return (row) => cell(rows[row])
      }
      default:
        return (row) => {
          const value = valueAt(column, row)
          return value === null ? undefined : this.#write(value)
        }
    }
  }

  #textCell(column: TextColumn): JsonCell {
    const { parts, validity, wide } = column
    if (parts !== undefined) {
      // Only what the rows stand in is read.
      return (row) => {
        if (validity !== undefined && !hasBit(validity, row)) return undefined
        if (wide !== undefined && hasBit(wide, row)) return this.#write(valueAt(column, row))
        const { bytes, start, end } = parts.at(row)
        return JSON.stringify(latin1(bytes, start, end))
      }
    }
    const { bytes, offsets } = column
    return (row) => {
      if (validity !== undefined && !hasBit(validity, row)) return undefined
      if (wide !== undefined && hasBit(wide, row)) return this.#write(valueAt(column, row))
      return JSON.stringify(latin1(bytes, offsets[row], offsets[row + 1]))
    }
  }
}

/** Times as `formatRfc3339` writes them; rows of one second share its text. */
function timeCell(column: TimeColumn): JsonCell {
  const { deltas, validity } = column
  const baseSeconds = Number(column.baseNs / 1_000_000_000n)
  const baseNanos = Number(column.baseNs % 1_000_000_000n)
  let knownSecond = NaN
  let prefix = ''
  return (row) => {
    if (validity !== undefined && !hasBit(validity, row)) return undefined
    const delta = deltas[row]
    const whole = Math.floor(delta / 1e9)
    let seconds = baseSeconds + whole
    let nanos = baseNanos + (delta - whole * 1e9)
    if (nanos >= 1e9) {
      nanos -= 1e9
      seconds++
    } else if (nanos < 0) {
      nanos += 1e9
      seconds--
    }
    if (seconds !== knownSecond) {
      knownSecond = seconds
      prefix = `"${formatInstantParts(seconds, 0).slice(0, -10)}`
    }
    const millis = Math.floor(nanos / 1e6)
    const rest = nanos - millis * 1e6
    const micros = Math.floor(rest / 1000)
    return `${prefix}${pad3[millis]}${pad3[micros]}${pad3[rest - micros * 1000]}Z"`
  }
}
