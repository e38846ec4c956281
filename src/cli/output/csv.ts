import { typedNumber, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import { cellText } from './cell.ts'
import type { OutputFormat } from './format.ts'

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Makes a text harmless that a spreadsheet would run as a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/**
 * Writes RFC 4180 with a header. All rows need the same columns, so all batches are collected first: memory grows with
 * the answer. `isForSpreadsheet` makes formulas harmless.
 */
export function csvOutput(isForSpreadsheet = false): OutputFormat {
  const cell = (value: Value): string => {
    const text = cellText(value)
    return quoted(isForSpreadsheet && typedNumber(value) === undefined ? harmless(text) : text)
  }
  const batches: RecordBatch[] = []
  return {
    name: 'csv',
    begin: () => '',
    batch: (batch) => {
      batches.push(batch)
      return ''
    },
    end: () => {
      const names = new Set(batches.flatMap((batch) => batch.schema.fields.map((f) => f.name)))
      if (names.size === 0) return ''
      const lines = [[...names].map(cell).join(',')]
      for (const batch of batches) {
        const columns = [...names].map((name) => batch.columns[batch.schema.fields.findIndex((f) => f.name === name)])
        for (let index = 0; index < batch.rowCount; index++) {
          lines.push(columns.map((c) => (c === undefined ? '' : cell(valueAt(c, index)))).join(','))
        }
      }
      return `${lines.join('\r\n')}\r\n`
    },
  }
}
