import { decode, pipeline, type Pipeline } from '../../wire/index.ts'

/** As `readPipeline`, but a member without a meaning is an error: a misspelt filter would show all rows. */
export function readPipelineStrictly(value: unknown): Pipeline {
  return decode(pipeline, value, { refusesUnknown: true })
}

/** A decoded pipeline of parsed JSON, as tolerant as the HTTP interface. Throws SluiceError with a JSON path. */
export function readPipeline(value: unknown): Pipeline {
  return decode(pipeline, value)
}
