import type { Turns } from '../../../base/index.ts'
import { LogRows } from './log-rows.ts'
import type { ReadRows } from './record-rows.ts'
import { SpanRows } from './span-rows.ts'

export type { ReadRows } from './record-rows.ts'

/** The records of an export of logs in protobuf, resource attributes on each. Throws an Error on bytes that are not one. */
export function readLogs(bytes: Uint8Array): Turns<ReadRows> {
  return new LogRows(bytes).read()
}

/**
 * The spans of an export in protobuf; one without a start, a trace id or a span id is left out. Throws an Error on bytes that are not
 * one.
 */
export function readSpans(bytes: Uint8Array): Turns<ReadRows> {
  return new SpanRows(bytes).read()
}
