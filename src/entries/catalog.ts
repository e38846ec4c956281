/** `sluice/catalog`: tables of DuckDB, ClickHouse, PostgreSQL and SQLite as a file maps them, for an engine of queries. */
export { SluiceError, renderDiagnostic } from '../base/index.ts'
export {
  catalogJsonSchema,
  checkCatalog,
  inferCatalog,
  openCatalog,
  standardCompiler,
  type CheckedCatalog,
  type ConnectOptions,
  type InferOptions,
  type MappedTable,
  type OpenCatalog,
} from '../catalog/index.ts'
export type { ForeignEngine, TableMapping } from '../backends/sql/index.ts'
