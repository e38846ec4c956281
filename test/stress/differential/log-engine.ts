import { SluiceError } from '../../../src/base/index.ts'
import { rowsBackend, type Backend } from '../../../src/backends/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { RowWriter, type StoredRow } from '../../../src/data/index.ts'
import { PlanEngine, type QueryOptions, readRows } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { jsonLines } from '../../../src/ingest/index.ts'
import { parse } from '../../../src/lang/log/index.ts'
import { createMemoryStore, storedRow } from '../../../src/store/index.ts'
import { throwIfErrors } from '../../../src/base/index.ts'
import { lower } from '../../../src/lang/log/index.ts'
import { catalog, TEXT_FIELD } from './log-rows.ts'
import type { AnswerRow, LogAnswer } from './log-answers.ts'

const encoder = new TextEncoder()

/** An engine that answers queries in the `logsql` dialect over rows. */
export interface LogEngine {
  /** Returns the rows of an answer as JSON strings. Throws SluiceError if the query is refused. */
  answer(text: string): Promise<readonly string[]>
}

function engineOver(backend: Backend, nowNs: bigint, more: QueryOptions): LogEngine {
  const engine = new PlanEngine({ backends: [backend], catalog, lint: 'off' })
  return {
    answer: async (text) => {
      const { ast, diagnostics } = parse(text, { dialect: 'logsql' })
      throwIfErrors(diagnostics)
      const plan = lower(ast, { nowNs, table: 'logs', dialect: 'logsql', textField: TEXT_FIELD })
      const writer = new RowWriter('logsql')
      const rows: string[] = []
      for await (const row of readRows(engine.queryPlan(plan, { nowNs, dialect: 'logsql', ...more }).batches()))
        rows.push(writer.row(row))
      return rows
    },
  }
}

/**
 * Returns Sluice as it runs in production: the column store, with a sealed segment for each item of `lines` except the
 * last, and all optimizer rules.
 */
export function columnarEngine(lines: readonly string[], nowNs: bigint): LogEngine {
  const store = createMemoryStore(catalog)
  const table = store.table('logs')
  for (const [i, part] of lines.entries()) {
    if (i > 0) table.seal()
    const report = table.writer.appendJsonLines(encoder.encode(part), { nowNs })
    if (report.badLines > 0) throw new Error(`a line cannot be read: ${report.examples[0]?.reason ?? ''}`)
  }
  return engineOver(columnarBackend(store, standardFunctions), nowNs, {})
}

/** Returns the row model over the same lines, without optimizer rules. */
export function modelEngine(lines: string, nowNs: bigint): LogEngine {
  const table = catalog.tables.get('logs')
  if (table === undefined) throw new Error('no table')
  const rows = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line, sequence): StoredRow => {
      const record = jsonLines.decode(line)
      if ('reason' in record) throw new Error(record.reason)
      return storedRow(table, record, { nowNs }, sequence)
    })
  return engineOver(rowsBackend(new Map([['logs', rows]]), standardFunctions), nowNs, { disabledRules: ['*'] })
}

/** Returns an engine's answer or refusal. Other errors are faults of Sluice and are thrown. */
export async function answerOf(engine: LogEngine, text: string): Promise<LogAnswer> {
  try {
    return { rows: (await engine.answer(text)).map((row) => JSON.parse(row) as AnswerRow) }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return { refused: error.message }
  }
}
