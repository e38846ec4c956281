export { printCase, readCase, type CaseFile } from './case-file.ts'
export { allFilters } from './filters.ts'
export { generateQuery, queryText, type GeneratedQuery, type QueryParts } from './log-query.ts'
export { lowerText } from './subject.ts'
export { oracles, type Oracle } from './oracles/index.ts'
export { allPipes, statsGenerators } from './pipes.ts'
export { breaks, runFuzz, type Failure, type FuzzOptions, type FuzzReport } from './run.ts'
export { jsonLaws } from './oracles/json-laws.ts'
export { printPipelineCase, readPipelineCase, type PipelineCaseFile } from './pipeline-case.ts'
export { planOfPipeline } from './pipeline-plan.ts'
export {
  pipelineBreaks,
  runPipelineFuzz,
  type PipelineFailure,
  type PipelineFuzzOptions,
  type PipelineFuzzReport,
} from './pipeline-run.ts'
export { generatePipeline, type Body } from './pipeline.ts'
export type { SeedReport } from './seed-blocks.ts'
