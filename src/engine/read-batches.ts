import { plainRowsOf, rowsOf, type RecordBatch, type Row } from '../data/index.ts'

/** Reads the exact values of an answer row by row; returning early stops the query. */
export async function* readRows(batches: AsyncIterable<RecordBatch>): AsyncIterable<Row> {
  for await (const batch of batches) yield* rowsOf(batch)
}

/** Reads an answer as plain objects of the type that the caller states; returning early stops the query. */
export async function* readPlainRows<Shape extends object>(batches: AsyncIterable<RecordBatch>): AsyncIterable<Shape> {
  for await (const batch of batches) yield* plainRowsOf(batch) as object[] as Shape[]
}

/** Reads a whole answer as plain objects. */
export async function readPlainArray<Shape extends object>(batches: AsyncIterable<RecordBatch>): Promise<Shape[]> {
  const rows: Shape[] = []
  for await (const batch of batches) for (const row of plainRowsOf(batch) as object[] as Shape[]) rows.push(row)
  return rows
}
