import { plainRowsOf, rowsOf, type PlainRow, type RecordBatch, type Row } from '../data/index.ts'

/** An answer row by row; returning early stops the work. */
export async function* readRows(batches: AsyncIterable<RecordBatch>): AsyncIterable<Row> {
  for await (const batch of batches) yield* rowsOf(batch)
}

/** A whole answer as plain objects. */
export async function readPlainRows(batches: AsyncIterable<RecordBatch>): Promise<PlainRow[]> {
  const rows: PlainRow[] = []
  for await (const batch of batches) for (const row of plainRowsOf(batch)) rows.push(row)
  return rows
}
