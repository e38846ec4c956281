import type { StepwiseTask } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { PartCount } from '../part-count.ts'
import type { ReadRecords } from '../otlp/sent-records.ts'
import { lokiRecords } from './entries.ts'
import { jsonStreams } from './read-json.ts'
import { PushReader } from './read-protobuf.ts'

/** Reads the log records of a decompressed push in protobuf. Throws an Error when the bytes are not a push. */
export function readPushProtobuf(bytes: Uint8Array): StepwiseTask<ReadRecords> {
  const parts = new PartCount()
  return lokiRecords(new PushReader(bytes, parts).streams(), parts)
}

/** Reads the log records of a push in parsed JSON. Throws an Error when the document is not a push. */
export function readPushJson(document: PlainJson): StepwiseTask<ReadRecords> {
  const parts = new PartCount()
  return lokiRecords(jsonStreams(document, parts), parts)
}
