import { logfmtOutput, rawOutput } from '../../src/cli/output/lines.ts'
import { tableOutput } from '../../src/cli/output/table.ts'
import type { OutputFormat } from '../../src/cli/output/format.ts'
import { BatchRows } from '../../src/console/data/local/batch-rows.ts'
import { batchOfRows, field, rowsOf, type RecordBatch, type Row, type Schema } from '../../src/data/index.ts'
import type { BlockFormat } from './block.ts'

/** Prints JSON lines as the command line does, without the `Buffer` of Node, which browsers lack. */
function ndjsonOutput(): OutputFormat {
  return {
    name: 'ndjson',
    begin: () => '',
    batch: (batch) => {
      const rows = new BatchRows()
      rows.append(batch)
      return Array.from({ length: rows.count }, (_, row) => `${rows.line(row)}\n`).join('')
    },
    end: () => '',
  }
}

function outputOf(format: BlockFormat, textField: string): OutputFormat {
  switch (format) {
    case 'table':
      return tableOutput({ columns: Infinity, textField })
    case 'ndjson':
      return ndjsonOutput()
    case 'raw':
      return rawOutput(textField, false)
    case 'logfmt':
      return logfmtOutput()
  }
}

interface PrintedAnswer {
  readonly schema: Schema
  readonly batches: () => AsyncIterable<RecordBatch>
}

/**
 * Prints the first `maxRows` rows of an answer as the command line does. A last line counts the rows that were left
 * out.
 */
export async function printRows(
  answer: PrintedAnswer,
  { format, maxRows }: { readonly format: BlockFormat; readonly maxRows: number },
  textField: string,
): Promise<string> {
  const output = outputOf(format, textField)
  let text = output.begin(answer.schema)
  let left = maxRows
  let rows = 0
  for await (const batch of answer.batches()) {
    rows += batch.rowCount
    if (left === 0) continue
    const shown = batch.rowCount <= left ? batch : batchOfRows(batch.schema, [...rowsOf(batch)].slice(0, left))
    left -= shown.rowCount
    text += output.batch(shown)
  }
  text += await output.end()
  const more = rows - maxRows
  return more > 0 ? `${text}… ${more} more ${more === 1 ? 'row' : 'rows'}\n` : text
}

/** Converts rows to an answer with one column for each field name, in order of first occurrence. */
export function answerOfRows(rows: readonly Row[]): PrintedAnswer {
  const names = new Set(rows.flatMap((row) => [...row.keys()]))
  const schema = { fields: Array.from(names, (name) => field(name, 'any', 'named')), isOpen: false }
  return {
    schema,
    // oxlint-disable-next-line require-await
    async *batches(): AsyncGenerator<RecordBatch> {
      if (rows.length > 0) yield batchOfRows(schema, rows)
    },
  }
}
