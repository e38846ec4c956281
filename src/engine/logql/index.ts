export { runLogqlMetric } from './run-metric.ts'
export { entriesPlan, logqlTableOf, type LogDirection } from './entries.ts'
