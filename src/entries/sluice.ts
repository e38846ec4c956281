/**
 * `sluice`: an engine, and tables in memory for it. Queries, plans and answers of log texts; the other front ends,
 * databases and the server are sub-paths of their own, which nothing here loads.
 */
export {
  SluiceError,
  applyFix,
  formatRfc3339,
  interval,
  parseRfc3339,
  renderDiagnostic,
  spanOf,
  type Diagnostic,
  type Edit,
  type Fix,
  type Interval,
  type JsonValue,
  type Origin,
  type Severity,
  type Span,
} from '../base/index.ts'
export {
  Instant,
  JsonText,
  rowToJson,
  rowsOf,
  type Column,
  type DataType,
  type Field,
  type JsonDialect,
  type PlainRow,
  type PlainValue,
  type RecordBatch,
  type Row,
  type Schema,
  type StoredRow,
  type Value,
  type ValueTest,
} from '../data/index.ts'
export {
  printPlan,
  type Catalog,
  type Dialect,
  type ExplainMeasure,
  type ExplainTree,
  type Expr,
  type FilterGrade,
  type LogicalPlan,
  type ScanApplied,
  type ScanRequest,
  type ScanResult,
  type Table,
  type TableDefinition,
  type TableStatistics,
} from '../plan/index.ts'
export {
  defineScalar,
  defineStats,
  standardFunctions,
  type Functions,
  type Registry,
  type RowFunction,
  type ScalarFunction,
  type StatsFunction,
  type TableFunction,
} from '../functions/index.ts'
export {
  definePipe,
  type CustomPipeDefinition,
  type LogLimits,
  type Parameters,
  type ParameterValue,
  type Parsed,
  type Query,
} from '../lang/log/index.ts'
export type { DataScope } from '../policy/index.ts'
export type { Lint, Rule } from '../optimize/index.ts'
export {
  createMemoryStore,
  defineTable,
  standardCatalog,
  type MemoryStore,
  type Objects,
  type TableInput,
  type TableSpec,
} from '../store/index.ts'
export type { Backend, Prepared, QueryContext } from '../backends/index.ts'
export { columnarBackend } from '../backends/columnar/index.ts'
export {
  createEngine,
  languageOf,
  printExplainTree,
  printMermaid,
  printSteps,
  type Clock,
  type CompiledPlan,
  type Engine,
  type EngineLimits,
  type EngineOptions,
  type Extension,
  type Language,
  type LintPolicy,
  type QueryOptions,
  type QueryResult,
  type QueryStatistics,
} from '../engine/index.ts'
