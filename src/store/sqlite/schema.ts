import { SluiceError, nowhere } from '../../base/index.ts'
import type { SqliteConnection } from './connection.ts'
import { sqliteDiagnostic } from './diagnostics.ts'
import { layoutFingerprint, own, type TableLayout } from './layout.ts'

const SCHEMA_VERSION = 2

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

const STATE = `
CREATE TABLE sluice_state (version INTEGER NOT NULL, epoch INTEGER NOT NULL);
CREATE TABLE sluice_table (
  name TEXT PRIMARY KEY, layout TEXT NOT NULL,
  last_id INTEGER NOT NULL, last_sequence INTEGER NOT NULL, max_time_ns INTEGER NOT NULL,
  lateness_ns INTEGER NOT NULL, has_extreme_times INTEGER NOT NULL
);
CREATE TABLE sluice_field (table_name TEXT, field TEXT, flags INTEGER NOT NULL, PRIMARY KEY (table_name, field));
CREATE TABLE sluice_value (table_name TEXT, field TEXT, kind TEXT, value, PRIMARY KEY (table_name, field, kind, value)) WITHOUT ROWID;
CREATE TABLE sluice_variant (table_name TEXT, field TEXT, folded TEXT, value TEXT, PRIMARY KEY (table_name, field, folded, value)) WITHOUT ROWID;
`

function createTable(layout: TableLayout): string {
  const columns = [
    `${quoted(own.id)} INTEGER PRIMARY KEY`,
    `${quoted(own.timeNs)} INTEGER NOT NULL`,
    `${quoted(own.hash)} INTEGER NOT NULL`,
    // Columns without a declared type do not convert values.
    ...layout.columns.map((column) => quoted(column.column)),
    `${quoted(own.rest)} TEXT`,
  ]
  return `
CREATE TABLE ${quoted(layout.table)} (${columns.join(', ')});
CREATE VIRTUAL TABLE ${quoted(layout.wordsTable)} USING fts5(words, content = '', columnsize = 0, tokenize = "ascii tokenchars '_'");`
}

export function createIndexes(connection: SqliteConnection, layout: TableLayout): void {
  for (const index of layout.indexes) {
    const columns = index.columns.map(quoted).join(', ')
    connection.exec(`CREATE INDEX IF NOT EXISTS ${quoted(index.name)} ON ${quoted(layout.table)} (${columns})`)
  }
}

export function dropIndexes(connection: SqliteConnection, layout: TableLayout): void {
  for (const index of layout.indexes) connection.exec(`DROP INDEX IF EXISTS ${quoted(index.name)}`)
}

/**
 * Updates the statistics by which SQLite's planner chooses indexes. A sample of the rows is read, so this takes
 * milliseconds.
 */
export function analyze(connection: SqliteConnection): void {
  connection.exec('PRAGMA analysis_limit = 2000; ANALYZE;')
}

function readVersion(connection: SqliteConnection): number | undefined {
  const exists = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sluice_state'`).get()
  if (exists === undefined) return undefined
  return Number(connection.prepare('SELECT version FROM sluice_state').pluck().get())
}

/** Creates missing tables and indexes. Throws SluiceError `sqlite/schema-version` or `sqlite/schema-changed`. */
export function ensureSchema(connection: SqliteConnection, layouts: Iterable<TableLayout>): void {
  const found = readVersion(connection)
  if (found === undefined) {
    connection.exec(STATE)
    connection.prepare('INSERT INTO sluice_state VALUES (?, 0)').run(BigInt(SCHEMA_VERSION))
  } else if (found !== SCHEMA_VERSION) {
    throw new SluiceError([sqliteDiagnostic('schema-version', { found, wanted: SCHEMA_VERSION }, nowhere)])
  }
  const known = connection.prepare('SELECT layout FROM sluice_table WHERE name = ?').pluck()
  for (const layout of layouts) {
    const { name } = layout.definition
    const fingerprint = layoutFingerprint(layout)
    const stored = known.get(name)
    if (stored === fingerprint) continue
    if (stored !== undefined) {
      throw new SluiceError([sqliteDiagnostic('schema-changed', { table: name }, nowhere)])
    }
    connection.exec(createTable(layout))
    createIndexes(connection, layout)
    connection.prepare('INSERT INTO sluice_table VALUES (?, ?, 0, -1, ?, 0, 0)').run(name, fingerprint, -(2n ** 63n))
  }
}
