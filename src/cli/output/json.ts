import { RowWriter, type JsonDialect, type RecordBatch, type RowSeparator } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'

/** A format that writes rows as JSON bytes. */
interface JsonOutput extends OutputFormat {
  readonly batch: (batch: RecordBatch) => Uint8Array
}

/** Serializes the rows of a batch into a new buffer, each preceded by a separator. */
function rowsOf(writer: RowWriter, batch: RecordBatch, separator: RowSeparator, behind = ''): Buffer {
  const chunks = Array.from(writer.bytes(batch, separator), (chunk) => Buffer.from(chunk))
  return Buffer.concat([...chunks, Buffer.from(behind)])
}

/** Writes one array of objects. */
export function jsonOutput(dialect: JsonDialect): JsonOutput {
  const writer = new RowWriter(dialect)
  let isFirst = true
  return {
    name: 'json',
    begin: () => '[',
    batch: (batch) => {
      const rows = rowsOf(writer, batch, ',\n')
      if (!isFirst || rows.length === 0) return rows
      isFirst = false
      return rows.subarray(1)
    },
    end: () => (isFirst ? ']\n' : '\n]\n'),
  }
}

/** Writes one object a line. */
export function ndjsonOutput(dialect: JsonDialect): JsonOutput {
  const writer = new RowWriter(dialect)
  return {
    name: 'ndjson',
    begin: () => '',
    batch: (batch) => rowsOf(writer, batch, '\n', '\n').subarray(1),
    end: () => '',
  }
}
