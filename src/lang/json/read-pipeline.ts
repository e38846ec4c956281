import { decode, pipeline, type Pipeline } from '../../wire/index.ts'

/** Like `readPipeline`, but unknown members are errors: a misspelt filter would show all rows. */
export function readPipelineStrictly(value: unknown): Pipeline {
  return decode(pipeline, value, { refusesUnknown: true })
}

/** Decodes a pipeline, as leniently as the HTTP interface. Throws SluiceError with a JSON path. */
export function readPipeline(value: unknown): Pipeline {
  return decode(pipeline, value)
}
