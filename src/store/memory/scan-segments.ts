import { batchOfRows, valueAt, type MutableRow, type RecordBatch } from '../../data/index.ts'
import { sequenceAt, type Segment } from './segment.ts'

const BATCH_ROWS = 1024

/** Whole rows, newest first, then latest ingested. */
export function* batchesNewestFirst(segments: readonly Segment[]): Generator<RecordBatch> {
  const places = segments.flatMap((segment) => Array.from({ length: segment.rowCount }, (_, row) => ({ segment, row })))
  places.sort(
    (a, b) =>
      b.segment.epoch - a.segment.epoch ||
      b.segment.deltas[b.row] - a.segment.deltas[a.row] ||
      sequenceAt(b.segment, b.row) - sequenceAt(a.segment, a.row),
  )
  for (let from = 0; from < places.length; from += BATCH_ROWS) {
    const rows = places.slice(from, from + BATCH_ROWS).map(({ segment, row }) => {
      const values: MutableRow = new Map()
      for (const [name, { column }] of segment.columns) {
        const value = valueAt(column, row)
        if (value !== null) values.set(name, value)
      }
      return values
    })
    yield batchOfRows({ fields: [], isOpen: true }, rows)
  }
}
