/**
 * The public list. One import gives an engine and a store to run it on; the HTTP shim is `sluice/server` and is not
 * loaded by anything here.
 *
 *     const store = createMemoryStore(standardCatalog)
 *     store.table('logs').appendJsonLines(bytes, { nowNs })
 *     const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)] })
 *     for await (const row of engine.query('level:error | limit 10').rows()) …
 */
export {
  MAX_NS,
  MIN_NS,
  SluiceError,
  always,
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
} from './base/index.ts'
export {
  Instant,
  JsonText,
  RowWriter,
  rowToJson,
  rowsOf,
  valueAt,
  valueToJson,
  type Column,
  type DataType,
  type Field,
  type JsonDialect,
  type RecordBatch,
  type Row,
  type Schema,
  type StoredRow,
  type Value,
  type ValueTest,
} from './data/index.ts'
export {
  printPlan,
  type Catalog,
  type Dialect,
  type ExplainMeasure,
  type ExplainTree,
  type Expr,
  type LogicalPlan,
  type TableDefinition,
} from './plan/index.ts'
export {
  Registry,
  standardFunctions,
  withPartialStates,
  type Functions,
  type RowFunction,
  type ScalarFunction,
  type StatsFunction,
  type TableFunction,
} from './functions/index.ts'
export {
  canon,
  defaultLogLimits,
  parse,
  withExtraFilter,
  withTimeRange,
  withoutPipes,
  type LogLimits,
  type Parsed,
  type Query,
} from './lang/log/index.ts'
export { canReturnNewest, newestRows, statsLabels, type NewestRows, type StatsLabels } from './analyze/index.ts'
export type { DataScope } from './policy/index.ts'
export { lints, rules, type Lint, type Rule } from './optimize/index.ts'
export { createMemoryStore, logsTable, standardCatalog, standardTables, type MemoryStore } from './store/index.ts'
export type { Backend, Prepared, QueryContext } from './backends/index.ts'
export { rowsBackend } from './backends/index.ts'
export { columnarBackend } from './backends/columnar/index.ts'
export {
  Engine,
  askNodes,
  createEngine,
  defaultEngineLimits,
  newestQuery,
  printExplainTree,
  printMermaid,
  printSteps,
  splitQuery,
  type Clock,
  type CompiledPlan,
  type EngineLimits,
  type EngineOptions,
  type LintPolicy,
  type Merge,
  type NewestQuery,
  type QueryOptions,
  type QueryResult,
  type QueryStatistics,
  type SplitContext,
  type SplitQuery,
} from './engine/index.ts'
