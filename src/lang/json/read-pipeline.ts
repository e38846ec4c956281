import { decode, pipeline, type Pipeline } from '../../wire/index.ts'

/** A decoded pipeline of parsed JSON, as tolerant as the HTTP interface. Throws SluiceError with a JSON path. */
export function readPipeline(value: unknown): Pipeline {
  return decode(pipeline, value)
}
