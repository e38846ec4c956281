import { rowToJson, valueAt, type RecordBatch, type Value } from '../../../data/index.ts'
import type { ShownRow, ShownValue } from '../../ask/requests.ts'
import type { AnswerRows } from '../answer-rows.ts'
import { shownRow, shownValue } from '../shown-row.ts'

/** Rows of an answer in the engine's column batches. A row is formatted when it is shown. */
export class BatchRows implements AnswerRows {
  readonly #batches: RecordBatch[] = []
  /** The number of the first row of each batch. */
  readonly #starts: number[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  append(batch: RecordBatch): void {
    this.#batches.push(batch)
    this.#starts.push(this.#count)
    this.#count += batch.rowCount
  }

  /** Removes rows at the end, so that `count` remain. */
  cut(count: number): void {
    this.#count = Math.min(this.#count, count)
  }

  line(row: number): string {
    return rowToJson(new Map(this.#values(row)))
  }

  /** Formats a row. Long strings are cut before they are copied, so that lists with very long lines stay fast. */
  shown(row: number, maxChars: number, fields: ReadonlySet<string> | undefined): ShownRow {
    const shown: ShownValue[] = []
    for (const [name, value] of this.#values(row)) {
      if (fields !== undefined && !fields.has(name)) continue
      if (typeof value === 'string') shown.push(shownValue(name, value, maxChars))
      else shown.push(...shownRow(rowToJson(new Map([[name, value]])), maxChars))
    }
    return shown
  }

  /** Yields the field names that occur in rows `[from, to)`, without copying values. */
  *names(from: number, to: number): Generator<string> {
    for (const [b, batch] of this.#batches.entries()) {
      const start = this.#starts[b] ?? 0
      const first = Math.max(0, from - start)
      const end = Math.min(batch.rowCount, to - start)
      for (const [c, { name, presence }] of batch.schema.fields.entries()) {
        const column = batch.columns[c]
        if (column === undefined || first >= end) continue
        let row = first
        if (presence !== 'named') while (row < end && valueAt(column, row) === null) row++
        if (row < end) yield name
      }
    }
  }

  /** Yields the fields that a row has, with their values. */
  *#values(row: number): Generator<readonly [string, Value]> {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= row) low = middle
      else high = middle - 1
    }
    const batch = this.#batches[low]
    if (batch === undefined) return
    for (const [c, { name, presence }] of batch.schema.fields.entries()) {
      const column = batch.columns[c]
      const value = column === undefined ? null : valueAt(column, row - (this.#starts[low] ?? 0))
      if (value !== null || presence === 'named') yield [name, value]
    }
  }
}
