export type { CompiledPlan, LintPolicy } from './compile.ts'
export { engineDiagnostic } from './diagnostics.ts'
export * from './engine.ts'
export type { Extension } from './extend.ts'
export { printExplainTree, printMermaid, printSteps } from './explain.ts'
export { findRowsOf, type FindRows, type FindRowsOptions } from './find-rows.ts'
export { languageOf, type Language } from './language.ts'
export * from './limits.ts'
export type {
  Clock,
  EngineOptions,
  OverLimit,
  PlanOptions,
  PlannerOptions,
  QueryOptions,
  StatementOptions,
} from './options.ts'
export { engineOptions } from './options.ts'
export { Planner } from './planner.ts'
export type { ScopeTexts } from './scope-texts.ts'
export type { ThreadPool } from './threads.ts'
export { readRows } from './read-batches.ts'
export type { Answer, QueryResult, QueryStatistics } from './result.ts'
export { Engine as PlanEngine } from './engine.ts'
