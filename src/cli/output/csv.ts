import { csvLines, type RecordBatch } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'

/**
 * Writes RFC 4180 with a header. All rows need the same columns, so all batches are collected first: memory grows with
 * the answer. With `isForSpreadsheet`, a spreadsheet does not run cells as formulas.
 */
export function csvOutput(isForSpreadsheet = false): OutputFormat {
  const batches: RecordBatch[] = []
  return {
    name: 'csv',
    begin: () => '',
    batch: (batch) => {
      batches.push(batch)
      return ''
    },
    end: () => [...csvLines(batches, isForSpreadsheet)].join(''),
  }
}
