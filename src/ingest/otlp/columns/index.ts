import type { Turns } from '../../../base/index.ts'
import { LogRows, type ReadRows } from './log-rows.ts'

export type { ReadRows } from './log-rows.ts'

/** The records of an export of logs in protobuf, resource attributes on each. Throws an Error on bytes that are not one. */
export function readLogs(bytes: Uint8Array): Turns<ReadRows> {
  return new LogRows(bytes).read()
}
