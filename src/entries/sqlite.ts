/** `sluice/sqlite`: telemetry tables in a SQLite database, the backend that answers from them, and durable storage. */
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
export { openBatchLog, type Batch, type DurableStore } from '../store/durable/index.ts'
export {
  openSqlite,
  sqliteTelemetry,
  type OpenOptions,
  type SqliteConnection,
  type SqliteTelemetry,
  type TelemetryOptions,
} from '../store/sqlite/index.ts'
