/** `sluice/sqlite`: telemetry tables in a SQLite database, and the backend that queries them. */
export {
  sqliteBackend,
  sqliteStatements,
  sqliteTable,
  type SqliteBackend,
  type SqliteBackendOptions,
  type SqliteStatementOptions,
  type SqliteStatements,
  type Statement,
} from '../backends/sql/index.ts'
export {
  openSqlite,
  sqliteTelemetry,
  type OpenOptions,
  type SqliteConnection,
  type SqliteTelemetry,
  type TelemetryOptions,
} from '../store/sqlite/index.ts'
