import type { StepwiseTask } from '../../base/index.ts'
import { csvFormatOf } from './decoders/csv.ts'
import { jsonFormatOf } from './decoders/json-documents.ts'
import { isPlainText, textLinesDecoder } from './decoders/text-lines.ts'

/** Finds the decoder for a payload whose type says only JSON or text. */
export function* formatOf(table: string, contentType: string | null, payload: Uint8Array): StepwiseTask<string> {
  const csv = csvFormatOf(contentType)
  if (csv !== undefined) return csv
  if (table === 'logs' && isPlainText(contentType, payload)) return textLinesDecoder.format
  return yield* jsonFormatOf(table, payload)
}
