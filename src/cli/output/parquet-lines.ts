import type { ParquetColumn, ParquetType } from '../../backends/sql/index.ts'
import { MAX_INT64 } from '../../base/index.ts'
import { cellText, Instant, typedNumber, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'

type Kind = 'boolean' | 'integer' | 'number' | 'large' | 'time' | 'text'

/**
 * True for every integer in the range of int64, also beyond 2^53. So a column of ids with small and large values has
 * one type.
 */
function isInt64(value: number): boolean {
  return Number.isInteger(value) && value < 2 ** 63 && value >= -(2 ** 63)
}

function kindOf(value: Exclude<Value, null>): Kind {
  switch (typeof value) {
    case 'boolean':
      return 'boolean'
    case 'number':
      return isInt64(value) && !Object.is(value, -0) ? 'integer' : 'number'
    case 'bigint':
      return value <= MAX_INT64 && value >= -MAX_INT64 - 1n ? 'large' : 'text'
    case 'string':
      return 'text'
    default:
      if (value instanceof Instant) return 'time'
      // A number that keeps its original text becomes a DOUBLE; the text is lost.
      return Number.isFinite(Number(typedNumber(value) ?? NaN)) ? 'number' : 'text'
  }
}

/** Returns the narrowest type that represents all values exactly; strings if there is no such type. */
function typeOf(kinds: ReadonlySet<Kind>): ParquetType {
  const isAllOf = (...some: readonly Kind[]): boolean => [...kinds].every((kind) => some.includes(kind))
  if (kinds.size === 0) return 'VARCHAR'
  if (isAllOf('boolean')) return 'BOOLEAN'
  if (isAllOf('integer', 'large')) return 'BIGINT'
  if (isAllOf('integer', 'number')) return 'DOUBLE'
  return isAllOf('time') ? 'TIMESTAMP_NS' : 'VARCHAR'
}

function textOf(value: Exclude<Value, null>): string {
  return Object.is(value, -0) ? '-0' : cellText(value)
}

/**
 * Writes an answer as lines that DuckDB converts to Parquet. Every value is a string, because column types are known
 * only at the end.
 */
export class ParquetLines implements OutputFormat {
  readonly name = 'parquet'
  readonly #kinds = new Map<string, Set<Kind>>()
  #lineChars = 0

  begin(): string {
    return ''
  }

  batch(batch: RecordBatch): string {
    const { fields } = batch.schema
    const columns = batch.columns.map((column, i) => {
      const { name = '' } = fields[i] ?? {}
      const kinds = this.#kinds.get(name) ?? new Set()
      this.#kinds.set(name, kinds)
      return { prefix: `${JSON.stringify(name)}:`, kinds, column }
    })
    let text = ''
    for (let row = 0; row < batch.rowCount; row++) {
      const members: string[] = []
      for (const { prefix, kinds, column } of columns) {
        const value = valueAt(column, row)
        if (value === null) continue
        kinds.add(kindOf(value))
        members.push(prefix + JSON.stringify(textOf(value)))
      }
      const line = `{${members.join(',')}}\n`
      this.#lineChars = Math.max(this.#lineChars, line.length)
      text += line
    }
    return text
  }

  end(): string {
    return ''
  }

  /** Returns an upper bound for the length of the longest line, bytes. */
  get lineBytes(): number {
    return this.#lineChars * 3
  }

  /** Returns the columns in order of appearance; columns without a batch are left out. */
  get columns(): readonly ParquetColumn[] {
    return Array.from(this.#kinds, ([name, kinds]) => ({ name, type: typeOf(kinds) }))
  }
}
