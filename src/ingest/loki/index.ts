import type { StepwiseTask } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { PartCount } from '../part-count.ts'
import type { ReadRecords } from '../otlp/sent-records.ts'
import { lokiRecords } from './entries.ts'
import { jsonStreams } from './read-json.ts'
import { PushReader } from './read-protobuf.ts'

/**
 * Reads the log records of a decompressed push in protobuf. `isDiscovering` adds services and levels. Throws an Error
 * when the bytes are not a push.
 */
export function readPushProtobuf(bytes: Uint8Array, isDiscovering: boolean): StepwiseTask<ReadRecords> {
  const parts = new PartCount()
  return lokiRecords(new PushReader(bytes, parts).streams(), parts, isDiscovering)
}

/** Reads the log records of a push in parsed JSON. Arguments and errors are those of `readPushProtobuf`. */
export function readPushJson(document: PlainJson, isDiscovering: boolean): StepwiseTask<ReadRecords> {
  const parts = new PartCount()
  return lokiRecords(jsonStreams(document, parts), parts, isDiscovering)
}
