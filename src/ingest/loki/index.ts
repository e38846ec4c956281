import type { Turns } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { PartCount } from '../part-count.ts'
import type { ReadRecords } from '../otlp/sent-records.ts'
import { lokiRecords } from './entries.ts'
import { jsonStreams } from './read-json.ts'
import { PushReader } from './read-protobuf.ts'

/** Log records of an unpacked push in protobuf. Throws an Error on bytes that are not one. */
export function readPushProtobuf(bytes: Uint8Array): Turns<ReadRecords> {
  const parts = new PartCount()
  return lokiRecords(new PushReader(bytes, parts).streams(), parts)
}

/** Log records of a push in parsed JSON. Throws an Error on what is not one. */
export function readPushJson(document: PlainJson): Turns<ReadRecords> {
  const parts = new PartCount()
  return lokiRecords(jsonStreams(document, parts), parts)
}
