/**
 * `sluice/catalog`: an engine that queries DuckDB, ClickHouse, PostgreSQL and SQLite tables, mapped by a catalog file.
 */
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
