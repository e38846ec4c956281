import { lastThat } from '../../base/index.ts'

/** A field that few rows have. `rows` lists these rows in ascending order, `present` their values in the same order. */
export interface SparseColumn<C> {
  readonly kind: 'sparse'
  readonly length: number
  readonly rows: Uint32Array
  readonly present: C
}

/** Rows of another column, by index. The values have not been copied yet. */
export interface GatheredColumn<C> {
  readonly kind: 'gathered'
  readonly length: number
  readonly rows: Uint32Array
  readonly source: C
}

/** Returns the position of `row` among the present rows, or -1. */
export function sparseIndex(rows: Uint32Array, row: number): number {
  const at = firstRowFrom(rows, row)
  return at < rows.length && rows[at] === row ? at : -1
}

/** Returns the position of the first row (ascending) that is not before `row`. */
function firstRowFrom(rows: Uint32Array, row: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return low
}

/** Several columns one after another; `starts[i]` is the first row of `chunks[i]`. */
export interface ChunkedColumn<C> {
  readonly kind: 'chunked'
  readonly length: number
  readonly starts: Uint32Array
  readonly chunks: readonly C[]
}

/** Returns the index of the chunk that contains `row`. */
export function chunkOfRow(starts: Uint32Array, row: number): number {
  return lastThat(starts.length, (chunk) => starts[chunk] <= row)
}
