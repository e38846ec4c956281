import { BATCH_ROWS } from '../../base/index.ts'
import { batchOfRows, valueAt, type MutableRow, type RecordBatch } from '../../data/index.ts'
import { sequenceAt, type Segment } from './segment.ts'

interface RowPosition {
  readonly segment: Segment
  readonly row: number
}

function* batchesBy(
  segments: readonly Segment[],
  order: (a: RowPosition, b: RowPosition) => number,
): Generator<RecordBatch> {
  const positions = segments.flatMap((segment) =>
    Array.from({ length: segment.rowCount }, (_, row) => ({ segment, row })),
  )
  positions.sort(order)
  for (let from = 0; from < positions.length; from += BATCH_ROWS) {
    const rows = positions.slice(from, from + BATCH_ROWS).map(({ segment, row }) => {
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

function later(a: RowPosition, b: RowPosition): number {
  return sequenceAt(b.segment, b.row) - sequenceAt(a.segment, a.row)
}

/** Yields whole rows, newest first. Among rows with equal times, the one ingested last comes first. */
export function batchesNewestFirst(segments: readonly Segment[]): Generator<RecordBatch> {
  return batchesBy(
    segments,
    (a, b) => b.segment.epoch - a.segment.epoch || b.segment.deltas[b.row] - a.segment.deltas[a.row] || later(a, b),
  )
}

/** Yields whole rows in the order of ingestion. */
export function batchesAsStored(segments: readonly Segment[]): Generator<RecordBatch> {
  return batchesBy(segments, (a, b) => later(b, a))
}
