import { CommandError } from '../../base/index.ts'
import {
  batchOfRows,
  compareText,
  field,
  rowsOf,
  toText,
  type RecordBatch,
  type Row,
  type Schema,
  type Value,
} from '../../data/index.ts'
import type { CompiledPlan, Engine, Planner, PlanOptions, QueryOptions } from '../../engine/index.ts'
import { discoveredLabels, logqlTableOf } from '../../engine/logql/index.ts'
import { ENTRY_CATEGORIES, ENTRY_LINE } from '../../functions/logql/index.ts'
import { lowerLogs, type LogQuery, type LogqlTable } from '../../lang/logql/index.ts'
import type { TableDefinition } from '../../plan/index.ts'
import type { QueryText, ShownAnswer } from './query-text.ts'

/** Returns the fields of a table that LogQL needs. Throws CommandError for a table without a text field. */
export function logqlTable(tables: ReadonlyMap<string, TableDefinition>, name = 'logs'): LogqlTable {
  const table = tables.get(name)
  if (table?.timeField === undefined || table.textField === undefined)
    throw new CommandError(`LogQL reads logs, and the table ${name} has no lines with times.`)
  return logqlTableOf(table, discoveredLabels)
}

const LABELS = [ENTRY_CATEGORIES.stream, ENTRY_CATEGORIES.metadata, ENTRY_CATEGORIES.parsed]

/** Returns the columns of entries before their labels. */
export function entriesSchema({ timeField, textField }: Pick<LogqlTable, 'timeField' | 'textField'>): Schema {
  return { fields: [field(timeField, 'time'), field(textField, 'string')], isOpen: true }
}

/**
 * Returns a log entry as a row: its time, its line, and its labels by name. If several labels have one name, the last
 * one counts. A label named like a column gets the suffix `_label`.
 */
export function entryRow(
  { timeField, textField }: Pick<LogqlTable, 'timeField' | 'textField'>,
  time: Value,
  line: string,
  labels: Iterable<readonly [string, string]>,
): Row {
  const row = new Map<string, Value>([
    [timeField, time],
    [textField, line],
  ])
  for (const [name, value] of [...new Map(labels)].toSorted(([a], [b]) => compareText(a, b)))
    row.set(name === timeField || name === textField ? `${name}_label` : name, value)
  return row
}

/** Returns the plan of a log query over a table. Throws SluiceError, and CommandError for a table without lines. */
export function compileEntries(query: LogQuery, planner: Planner, settings: PlanOptions): CompiledPlan {
  return planner.compilePlan(lowerLogs(query, logqlTable(planner.catalog.tables, settings.table)), settings)
}

/** A LogQL log query over a table. */
export class EntriesText implements QueryText {
  readonly isWhole = false
  readonly ofServer: QueryText['ofServer']
  readonly #query: LogQuery

  constructor(query: LogQuery, ofServer: QueryText['ofServer']) {
    this.#query = query
    this.ofServer = ofServer
  }

  compile(planner: Planner, settings: PlanOptions): CompiledPlan {
    return compileEntries(this.#query, planner, settings)
  }

  // oxlint-disable-next-line require-await
  async answer(engine: Engine, compiled: CompiledPlan, settings: QueryOptions): Promise<ShownAnswer> {
    const table = logqlTable(engine.catalog.tables, settings.table)
    const result = engine.queryCompiled(compiled, settings)
    const schema = entriesSchema(table)
    const rowOf = (row: Row): Row => {
      const labels = LABELS.flatMap((name) =>
        Object.entries(JSON.parse(toText(row.get(name) ?? null)) as Readonly<Record<string, string>>),
      )
      return entryRow(table, row.get(table.timeField) ?? null, toText(row.get(ENTRY_LINE) ?? null), labels)
    }
    return {
      schema,
      result,
      async *batches(): AsyncGenerator<RecordBatch> {
        for await (const batch of result.batches()) yield batchOfRows(schema, Array.from(rowsOf(batch), rowOf))
      },
    }
  }
}
