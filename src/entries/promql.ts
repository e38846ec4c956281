/** `sluice/promql`: runs PromQL queries, and stores their samples in memory. */
export { Labels } from '../data/index.ts'
export {
  createPromql,
  promqlErrorText,
  promqlErrorType,
  promqlJson,
  type PromqlEngine,
  type PromqlEngineOptions,
  type PromqlErrorType,
  type PromqlQueryOptions,
  type PromqlResult,
  type SeriesResult,
} from '../engine/metrics/index.ts'
export { parseExposition, parseMetricLines, storeMetrics } from '../ingest/metrics/index.ts'
export {
  parsePromql,
  pipelineToPromql,
  prettyPromql,
  printPromql,
  type PromqlExpr,
  type PromqlFeatures,
  type PromqlParse,
} from '../lang/promql/index.ts'
export type { LabelMatcher, LabelPredicate, SeriesPlan } from '../plan/index.ts'
export { SampleStore, type SampleSource } from '../store/samples/index.ts'
