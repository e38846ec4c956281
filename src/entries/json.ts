/** `sluice/json`: runs queries written as Pipeline objects (JSON), and converts them to and from query texts. */
export { createJson, type JsonEngine } from '../engine/pipelines/index.ts'
export { planToPipeline, readPipeline, type FunctionNames, type PlanPipeline } from '../lang/json/index.ts'
export type { Pipeline } from '../wire/index.ts'
