import type { StepwiseTask } from '../../../base/index.ts'
import { OtlpLogRows } from './log-rows.ts'
import type { DecodedRows } from './record-rows.ts'
import { SpanRows } from './span-rows.ts'

export type { DecodedRows } from './record-rows.ts'

/**
 * Reads the records of a log export in protobuf. Each record gets the resource attributes. Throws an Error when the
 * bytes are not such an export.
 */
export function readLogs(bytes: Uint8Array): StepwiseTask<DecodedRows> {
  return new OtlpLogRows(bytes).read()
}

/**
 * Reads the spans of an export in protobuf. A span without a start, a trace id or a span id is left out. Throws an
 * Error when the bytes are not such an export.
 */
export function readSpans(bytes: Uint8Array): StepwiseTask<DecodedRows> {
  return new SpanRows(bytes).read()
}
