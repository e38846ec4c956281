export * from './backend.ts'
export { fillTemplate } from './dialect.ts'
export { dialects } from './dialects/index.ts'
export { inlineValues } from './statement/inline-values.ts'
export { verifyGuards } from './statement/verify-guards.ts'
export type { Statement } from './compile.ts'
export { sqliteTable } from './table.ts'
export { textNs } from './host/foreign-values.ts'
export type {
  ForeignBatch,
  ForeignColumn,
  ForeignEngine,
  ForeignForm,
  ForeignFormat,
  ForeignName,
  ForeignRun,
  ForeignSource,
  ForeignStatement,
  ForeignValue,
} from './foreign/engine.ts'
export type {
  AttributeMapping,
  FieldMapping,
  FullTextCut,
  TableMapping,
  TimeMapping,
  TimeUnit,
  WordIndex,
} from './foreign/mapping.ts'
export { ARRIVAL, ROW_NUMBER } from './foreign/source.ts'
export { foreignDiagnostic } from './foreign/diagnostics.ts'
export type { SqlParameter } from './statement/params.ts'
export { fileDefinition, sqliteFileBackend, sqliteFileStatements } from './sqlite-file/backend.ts'
export { fullTextCut } from './sqlite-file/words.ts'
export type { SqliteFileEngine } from './engines/sqlite-file.ts'
export { foreignCompiler, foreignTables, type ForeignCompiler, type ForeignTables } from './foreign/open-tables.ts'
export type { AttachedDatabase } from './engines/duckdb.ts'
export { writeParquet, type ParquetColumn, type ParquetOptions, type ParquetType } from './engines/duckdb-parquet.ts'
export type { EngineAddress } from './engines/address.ts'
export { openEngine, startEngineProcess } from './engines/open.ts'
export type { EngineProcess } from './drivers/engine-process.ts'
export { foreignBackend, foreignStatements, type ForeignBackend, type ForeignStatements } from './foreign/backend.ts'
export { catalogOf, definitionOf } from './foreign/tables.ts'
export { duckdb } from './dialects/duckdb.ts'
