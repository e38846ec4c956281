import { SluiceError } from '../../base/index.ts'
import { RowWriter, type RecordBatch } from '../../data/index.ts'
import type { Oracle } from './oracle.ts'

/** In which way the bytes of the first rows, as many as are drawn, are not those of their texts. */
function differenceIn(batch: RecordBatch, writers: readonly RowWriter[], count: number): string | undefined {
  for (const writer of writers) {
    const texts = [...writer.batch(batch)].slice(0, count)
    const pieces = Array.from(writer.bytes(batch, '\n', count), (piece) => Buffer.from(piece).toString())
    const lines = pieces.join('').split('\n').slice(1)
    const row = texts.findIndex((text, i) => text !== lines[i])
    if (row !== -1) return `row ${row} in ${writer.dialect}: ${texts[row]} against ${lines[row] ?? 'none'}`
    if (lines.length !== texts.length) return `${texts.length} against ${lines.length} rows in ${writer.dialect}`
  }
  return undefined
}

/** Rows written as bytes are their texts, in either dialect. */
export const bytesAreTexts: Oracle = {
  name: 'bytes-are-texts',
  check: async ({ text, subject, random }) => {
    const writers = [new RowWriter('native'), new RowWriter('logsql')]
    try {
      for await (const batch of subject.query(text, 'columnar').batches()) {
        const count = random.below(4) > 0 ? batch.rowCount : random.below(batch.rowCount + 1)
        const found = differenceIn(batch, writers, count)
        if (found !== undefined) return `texts and bytes differ: ${found}`
      }
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
    }
    return undefined
  },
}
