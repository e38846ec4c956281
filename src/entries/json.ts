/** `sluice/json`: queries as Pipeline objects: decode, check, write as text, read from text, plan. */
export {
  lowerPipeline,
  lowerSearch,
  pipelineToText,
  planToPipeline,
  readPipeline,
  textToPipeline,
  type FromTextOptions,
  type FunctionNames,
  type PipelineText,
  type TextPipeline,
} from '../lang/json/index.ts'
export type { Pipeline } from '../wire/index.ts'
