export { runLogqlMetric } from './run-metric.ts'
export { discoveredLabels, entriesPlan, logqlTableOf, type LogDirection } from './entries.ts'
