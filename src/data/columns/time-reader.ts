import { hasBit } from '../bitmap.ts'
import { Instant } from '../value.ts'
import { valueAt, type Column } from './column.ts'

const MS_NS = 1_000_000

/**
 * Reads the times of a column as two numbers, without an object or a bigint for each row: whole milliseconds since 1970,
 * rounded down, and the nanoseconds after them.
 */
export class TimeReader {
  ms = 0
  restNs = 0
  /** Reads the time of a row into `ms` and `restNs`; false for a row without a time. */
  readonly read: (row: number) => boolean

  constructor(column: Column) {
    this.read = this.#readerOf(column)
  }

  #readerOf(column: Column): TimeReader['read'] {
    if (column.kind === 'gathered') {
      const { rows } = column
      const read = this.#readerOf(column.source)
      return (row) => read(rows[row])
    }
    if (column.kind !== 'time')
      return (row) => {
        const value = valueAt(column, row)
        if (!(value instanceof Instant)) return false
        this.#set(value.ns)
        return true
      }
    const { deltas, validity } = column
    this.#set(column.baseNs)
    const { ms: baseMs, restNs: baseRestNs } = this
    return (row) => {
      if (validity !== undefined && !hasBit(validity, row)) return false
      const delta = deltas[row]
      const afterMs = delta % MS_NS
      const restNs = baseRestNs + afterMs
      const carry = restNs >= MS_NS ? 1 : 0
      // Differences of multiples of a million below 2^53 are exact.
      this.ms = baseMs + (delta - afterMs) / MS_NS + carry
      this.restNs = restNs - carry * MS_NS
      return true
    }
  }

  #set(ns: bigint): void {
    const rest = Number(ns % 1_000_000n)
    const restNs = rest < 0 ? rest + MS_NS : rest
    this.restNs = restNs
    this.ms = Number((ns - BigInt(restNs)) / 1_000_000n)
  }
}
