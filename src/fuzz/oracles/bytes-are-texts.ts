import { SluiceError } from '../../base/index.ts'
import { RowWriter, rowsOf, type RecordBatch } from '../../data/index.ts'
import type { Oracle } from './oracle.ts'

/**
 * Compares a batch with its rows written one by one, both as strings and as bytes of the first `count` rows. Returns
 * the first difference.
 */
function differenceIn(batch: RecordBatch, writers: readonly RowWriter[], count: number): string | undefined {
  for (const writer of writers) {
    const rows = Array.from(rowsOf(batch), (row) => writer.row(row))
    const pieces = Array.from(writer.bytes(batch, '\n', count), (piece) => Buffer.from(piece).toString())
    const lines = pieces.join('').split('\n').slice(1)
    const found =
      differenceOf(rows, [...writer.batch(batch)], writer) ?? differenceOf(rows.slice(0, count), lines, writer)
    if (found !== undefined) return found
  }
  return undefined
}

function differenceOf(rows: readonly string[], written: readonly string[], { dialect }: RowWriter): string | undefined {
  const row = rows.findIndex((text, i) => text !== written[i])
  if (row !== -1) return `row ${row} in ${dialect}: ${rows[row]} against ${written[row] ?? 'none'}`
  return written.length === rows.length ? undefined : `${rows.length} against ${written.length} rows in ${dialect}`
}

/** Rows written as bytes equal the same rows written as strings, in either dialect. */
export const bytesAreTexts: Oracle = {
  name: 'bytes-are-texts',
  check: async ({ text, subject, random }) => {
    const writers = [new RowWriter('native'), new RowWriter('logsql')]
    try {
      for await (const batch of subject.query(text, 'columnar').batches()) {
        const count = random.below(4) > 0 ? batch.rowCount : random.below(batch.rowCount + 1)
        const found = differenceIn(batch, writers, count)
        if (found !== undefined) return `rows, texts and bytes differ: ${found}`
      }
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
    }
    return undefined
  },
}
