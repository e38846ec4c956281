/** `sluice/promql`: metric queries: read, print, check, and answer over samples. */
export {
  analyzePromql,
  explainPromql,
  promqlErrorText,
  promqlErrorType,
  promqlJson,
  queryPromql,
  queryPromqlRange,
  type PromqlOptions,
  type PromqlResult,
} from '../engine/metrics/index.ts'
export { parsePromql, pipelineToPromql, prettyPromql, printPromql } from '../lang/promql/index.ts'
export { SampleStore, type SampleSource } from '../store/samples/index.ts'
