import { plainRowsOf, rowsOf, type RecordBatch, type Row } from '../data/index.ts'

/** Reads an answer row by row, with exact values. Stopping early stops the query. */
export async function* readRows(batches: AsyncIterable<RecordBatch>): AsyncIterable<Row> {
  for await (const batch of batches) yield* rowsOf(batch)
}

/** Reads an answer as plain objects. `Shape` is not checked. Stopping early stops the query. */
export async function* readPlainRows<Shape extends object>(batches: AsyncIterable<RecordBatch>): AsyncIterable<Shape> {
  for await (const batch of batches) yield* plainRowsOf(batch) as object[] as Shape[]
}

/** Reads an entire answer as plain objects. */
export async function readPlainArray<Shape extends object>(batches: AsyncIterable<RecordBatch>): Promise<Shape[]> {
  const rows: Shape[] = []
  for await (const batch of batches) for (const row of plainRowsOf(batch) as object[] as Shape[]) rows.push(row)
  return rows
}
