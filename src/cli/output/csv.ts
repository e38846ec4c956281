import { valueAt, type RecordBatch } from '../../data/index.ts'
import { cellText } from './cell.ts'
import type { OutputFormat } from './format.ts'

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * RFC 4180 with a header. Every row needs the same columns, so the columns of all batches are gathered first:
 * memory grows with the answer.
 */
export function csvOutput(): OutputFormat {
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
      const lines = [[...names].map(quoted).join(',')]
      for (const batch of batches) {
        const columns = [...names].map((name) => batch.columns[batch.schema.fields.findIndex((f) => f.name === name)])
        for (let index = 0; index < batch.rowCount; index++) {
          lines.push(columns.map((c) => (c === undefined ? '' : quoted(cellText(valueAt(c, index))))).join(','))
        }
      }
      return `${lines.join('\r\n')}\r\n`
    },
  }
}
