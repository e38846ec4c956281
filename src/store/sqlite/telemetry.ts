import { hasMember, checkArgument, Options, invariant } from '../../base/index.ts'
import type { StoredRow, Value } from '../../data/index.ts'
import type { RecordCatalog } from '../../plan/index.ts'
import { inTransaction, type SqlValue, type SqliteConnection } from './connection.ts'
import { TableWriter } from './table-writer.ts'
import {
  MAX_KNOWN_VALUES,
  MAX_SUMMED_ROWS,
  fieldKnowledge,
  hasManyByNature,
  type FieldKnowledge,
  type Knowledge,
  type TableKnowledge,
} from './knowledge.ts'
import { standardCatalog } from '../domains/index.ts'
import { tableLayouts, type Indexes, type TableLayout } from './layout.ts'
import { analyze, createIndexes, dropIndexes, ensureSchema } from './schema.ts'
import { decodeValue } from './value-encoding.ts'

/** Number of rows from which planner statistics are updated. Smaller tables are fast with any query plan. */
const ANALYZE_FROM = 4096

/** Options for the storage of telemetry tables. */
export interface TelemetryOptions {
  readonly indexes?: Indexes
  /** Maximum number of distinct values of a column that are recorded; 4,096 by default. */
  readonly maxKnownValues?: number
}

const telemetryOptions = new Options<TelemetryOptions>({ indexes: 'object', maxKnownValues: 'number' })

/** Telemetry tables in one SQLite database. Only this object may write; other connections and processes may read. */
export interface SqliteTelemetry {
  readonly connection: SqliteConnection
  readonly catalog: RecordCatalog
  readonly layouts: ReadonlyMap<string, TableLayout>
  /**
   * Adds rows in one transaction and returns their number. Sequence numbers must be greater than all stored ones and
   * follow the order of ingestion. Times may be in any order, but rows in time order are read faster.
   */
  append(table: string, rows: Iterable<StoredRow>): number
  /** Adds many rows in batches, and builds the indexes at the end. Returns the number of rows. */
  load(table: string, rows: Iterable<StoredRow>, batchRows?: number): number
  /** Returns facts that hold for the values stored now. */
  knowledge(): Knowledge
}

function bitLength(count: number): number {
  return count.toString(2).length
}

function readKnowledge(connection: SqliteConnection, layouts: ReadonlyMap<string, TableLayout>): Knowledge {
  const epoch = Number(connection.prepare('SELECT epoch FROM sluice_state').pluck().get())
  const tableRow = connection
    .prepare('SELECT lateness_ns, has_extreme_times, last_id FROM sluice_table WHERE name = ?')
    .raw()
    .safeIntegers()
  const flagRows = connection.prepare('SELECT field, flags FROM sluice_field WHERE table_name = ?').raw()
  const valueRows = connection.prepare('SELECT field, kind, value FROM sluice_value WHERE table_name = ?').raw()
  const tables = new Map<string, TableKnowledge>()
  for (const [name, layout] of layouts) {
    const flags = new Map(flagRows.all(name) as [string, number][])
    const lists = new Map<string, Value[]>()
    for (const [field, kind, value] of valueRows.all(name) as [string, string, SqlValue][]) {
      const key = `${kind} ${field}`
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [decodeValue(value)])
      else list.push(decodeValue(value))
    }
    const fields = new Map<string, FieldKnowledge>()
    for (const { field, isText } of layout.columns) {
      const ranked = (lists.get(`ranked ${field.name}`) ?? []).filter((value) => typeof value === 'string')
      const values = lists.get(`value ${field.name}`) ?? []
      const isMany = hasManyByNature(field.type, isText)
      fields.set(field.name, fieldKnowledge(flags.get(field.name) ?? 0, values, ranked, isMany))
    }
    const [latenessNs, hasExtremeTimes, lastId] = tableRow.get(name) as [bigint, bigint, bigint]
    const hasVeryManyRows = lastId >= MAX_SUMMED_ROWS
    tables.set(name, { latenessNs, hasVeryManyRows, hasExtremeTimes: hasExtremeTimes === 1n, fields })
  }
  return { epoch, tables }
}

/**
 * Opens the tables of a catalog in a database; creates missing ones. Throws SluiceError `sqlite/schema-version`,
 * `sqlite/schema-changed`.
 */
export function sqliteTelemetry(
  connection: SqliteConnection,
  catalog: RecordCatalog = standardCatalog,
  options: TelemetryOptions = {},
): SqliteTelemetry {
  checkArgument(
    hasMember(connection, 'prepare'),
    connection,
    'a connection that `openSqlite` opened',
    "sqliteTelemetry(await openSqlite('logs.db'))",
  )
  telemetryOptions.check(options, '`sqliteTelemetry`')
  const layouts = tableLayouts(catalog.tables.values(), options.indexes)
  inTransaction(connection, () => ensureSchema(connection, layouts.values()))
  const writers = new Map<string, TableWriter>()
  const epoch = connection.prepare('SELECT epoch FROM sluice_state').pluck()
  let known: Knowledge | undefined
  let isLoading = false

  function writerOf(table: string): TableWriter {
    const existing = writers.get(table)
    if (existing !== undefined) return existing
    const layout = layouts.get(table)
    invariant(layout !== undefined, `there is no table ${table}`)
    const writer = new TableWriter(connection, layout, options.maxKnownValues ?? MAX_KNOWN_VALUES)
    writers.set(table, writer)
    return writer
  }

  function append(table: string, rows: Iterable<StoredRow>): number {
    const writer = writerOf(table)
    try {
      const before = writer.rowCount
      const count = inTransaction(connection, () => writer.write([...rows]))
      // Planner statistics are updated each time that the table has doubled in size.
      const isDoubled = bitLength(writer.rowCount) > bitLength(Math.max(before, ANALYZE_FROM))
      if (isDoubled && !isLoading) analyze(connection)
      return count
    } catch (error) {
      // The rollback also removed the facts that the writer had stored, so the writer must start again.
      writers.delete(table)
      throw error
    }
  }

  function load(table: string, rows: Iterable<StoredRow>, batchRows = 20_000): number {
    const { layout } = writerOf(table)
    dropIndexes(connection, layout)
    isLoading = true
    let count = 0
    try {
      let batch: StoredRow[] = []
      for (const row of rows) {
        if (batch.push(row) < batchRows) continue
        count += append(table, batch)
        batch = []
      }
      if (batch.length > 0) count += append(table, batch)
    } finally {
      isLoading = false
      createIndexes(connection, layout)
      analyze(connection)
    }
    return count
  }

  return {
    connection,
    catalog,
    layouts,
    append,
    load,
    knowledge: () => {
      if (known === undefined || known.epoch !== Number(epoch.get())) known = readKnowledge(connection, layouts)
      return known
    },
  }
}
