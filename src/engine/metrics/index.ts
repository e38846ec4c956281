/** Metric queries are a separate module, so that log queries do not load them. */
export * from './explain-promql.ts'
export * from './promql.ts'
export * from './promql-engine.ts'
export { DEFAULT_LOOKBACK_MS, floatText } from '../../backends/columnar/series/index.ts'
export { QueryStats } from '../query-stats.ts'
export { rowsOfSeries } from './series-rows.ts'
