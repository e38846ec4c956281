import type { ParquetColumn, ParquetType } from '../../backends/sql/index.ts'
import { MAX_INT64 } from '../../base/index.ts'
import { Instant, typedNumber, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import { cellText } from './cell.ts'
import type { OutputFormat } from './format.ts'

type Kind = 'boolean' | 'integer' | 'number' | 'large' | 'time' | 'text'

/** Whole numbers that are doubles too, also above 2^53: a column of ids has both these and those that are none. */
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
      // A number that keeps its text is a DOUBLE, which has none.
      return Number.isFinite(Number(typedNumber(value) ?? NaN)) ? 'number' : 'text'
  }
}

/** The narrowest type that has all values as they are; texts where there is none. */
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

/** An answer as lines that a Parquet file is made of: every value is a text, and what the columns hold is known at the end. */
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

  /** Of the longest line, at most. */
  get lineBytes(): number {
    return this.#lineChars * 3
  }

  /** In the order in which they came; those of no batch are left out. */
  get columns(): readonly ParquetColumn[] {
    return Array.from(this.#kinds, ([name, kinds]) => ({ name, type: typeOf(kinds) }))
  }
}
