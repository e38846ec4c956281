import { decode, pipeline, type Pipeline } from '../../wire/index.ts'

/**
 * Decodes a pipeline like `readPipeline`, but reports unknown members as errors. An ignored misspelt filter would let
 * all rows through.
 */
export function readPipelineStrictly(value: unknown): Pipeline {
  return decode(pipeline, value, { refusesUnknown: true })
}

/**
 * Decodes a pipeline from parsed JSON and ignores unknown members, as the HTTP interface does. Throws SluiceError with
 * the JSON path of the fault.
 */
export function readPipeline(value: unknown): Pipeline {
  return decode(pipeline, value)
}
