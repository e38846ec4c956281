export * from './optimize-series.ts'
export * from './rule.ts'
export { seriesRules } from './rules/index.ts'
