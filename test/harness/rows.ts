import { flattenInto, logsTable, storedRow } from '../../src/store/index.ts'
import { parseJsonExact, RowWriter, type MutableRow, type Row, type StoredRow } from '../../src/data/index.ts'
import type { Dialect } from '../../src/plan/index.ts'

/** Parses JSON lines into rows of the logs table, as ingestion does. Throws on a line that is not a JSON object. */
export function storedRowsOf(lines: readonly string[], nowNs: bigint): readonly StoredRow[] {
  return lines.map((line, sequence) => {
    const record: MutableRow = new Map()
    flattenInto(record, '', parseJsonExact(line))
    return storedRow(logsTable, record, { nowNs }, sequence)
  })
}

/** Formats an answer as JSON lines, as the server would send them. */
export function answerLines(rows: readonly Row[], dialect: Dialect): readonly string[] {
  const writer = new RowWriter(dialect)
  return rows.map((row) => writer.row(row))
}
