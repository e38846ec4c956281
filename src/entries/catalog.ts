/** `sluice/catalog`: tables of DuckDB, ClickHouse, PostgreSQL and SQLite as a file maps them, for an engine of queries. */
export { SluiceError, renderDiagnostic } from '../base/index.ts'
export {
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
export { catalogJsonSchema } from '../catalog/text/index.ts'
export type { ForeignEngine, TableMapping } from '../backends/sql/index.ts'
