import protobuf from 'protobufjs'
import { z } from 'zod'
import { LENGTH_DELIMITED, VARINT, toNumber, unpackSnappy } from '../../../ingest/metrics/index.ts'
import type { LabelMatcher } from '../../../plan/index.ts'
import { compileMatcher } from '../../../store/index.ts'
import { fault } from '../../errors/http-fault.ts'

type Reader = protobuf.Reader

/** Remote read body for the OpenAPI document: a compressed protobuf message. */
export const remoteReadBody = z
  .string()
  .meta({ id: 'RemoteReadRequest', description: 'A `prometheus.ReadRequest`, compressed with Snappy.' })

/** Requests samples of series that match all matchers, from `startMs` to `endMs`, inclusive. */
export interface RemoteQuery {
  readonly startMs: number
  readonly endMs: number
  readonly matchers: readonly LabelMatcher[]
}

export interface RemoteReadRequest {
  readonly queries: readonly RemoteQuery[]
  /** True if the client accepts a streamed answer of chunks. */
  readonly wantsChunks: boolean
}

type MatchOp = LabelMatcher['op']

const OPS: readonly MatchOp[] = ['=', '!=', '=~', '!~']
const STREAMED_XOR_CHUNKS = 1
/** Maximum decompressed size of a body, bytes. */
const LIMIT_BYTES = 4 * 2 ** 20
const MAX_QUERIES = 1000

function endOf(reader: Reader): number {
  return reader.uint32() + reader.pos
}

/** Reads the fields of a message. Skips fields that are not in `types`. */
function readFields(
  reader: Reader,
  end: number,
  types: Readonly<Record<number, number>>,
  read: (field: number) => void,
): void {
  while (reader.pos < end) {
    const tag = reader.uint32()
    const [field, type] = [tag >>> 3, tag & 7]
    const wanted = types[field]
    if (wanted === undefined) reader.skipType(type)
    else if (type === wanted) read(field)
    else throw new Error(`field ${field} is of another type`)
  }
}

function readMatcher(reader: Reader): LabelMatcher {
  let op: MatchOp | undefined = '='
  let label = ''
  let value = ''
  readFields(reader, endOf(reader), { 1: VARINT, 2: LENGTH_DELIMITED, 3: LENGTH_DELIMITED }, (field) => {
    if (field === 1) op = OPS[reader.int32()]
    else if (field === 2) label = reader.string()
    else value = reader.string()
  })
  if (op === undefined) throw new Error('a matcher is of a kind that there is not')
  return { label, op, value }
}

function readQuery(reader: Reader): RemoteQuery {
  const matchers: LabelMatcher[] = []
  let startMs = 0
  let endMs = 0
  readFields(reader, endOf(reader), { 1: VARINT, 2: VARINT, 3: LENGTH_DELIMITED }, (field) => {
    if (field === 1) startMs = toNumber(reader.int64())
    else if (field === 2) endMs = toNumber(reader.int64())
    else matchers.push(readMatcher(reader))
  })
  return { startMs, endMs, matchers }
}

/** Reads one or more numbers, packed or not. */
function readTypes(reader: Reader, wireType: number, types: number[]): void {
  if (wireType === VARINT) {
    types.push(reader.int32())
    return
  }
  if (wireType !== LENGTH_DELIMITED) throw new Error('field 2 is of another type')
  const end = endOf(reader)
  while (reader.pos < end) types.push(reader.int32())
}

function readMessage(bytes: Uint8Array): RemoteReadRequest {
  const reader = protobuf.Reader.create(bytes)
  const queries: RemoteQuery[] = []
  const types: number[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 2) {
      readTypes(reader, tag & 7, types)
    } else if (tag >>> 3 !== 1) {
      reader.skipType(tag & 7)
    } else {
      if ((tag & 7) !== LENGTH_DELIMITED) throw new Error('field 1 is of another type')
      queries.push(readQuery(reader))
      if (queries.length > MAX_QUERIES) throw new Error(`it has more than ${MAX_QUERIES} queries`)
    }
  }
  for (const { matchers } of queries) for (const matcher of matchers) compileMatcher(matcher)
  // The first response type that Sluice knows is used.
  const known = types.find((type) => type === 0 || type === STREAMED_XOR_CHUNKS)
  return { queries, wantsChunks: known === STREAMED_XOR_CHUNKS }
}

/** Decodes the body of a remote read request. Throws `server/bad-payload`. */
export function decodeRemoteRead(body: Uint8Array): RemoteReadRequest {
  try {
    return readMessage(unpackSnappy(body, LIMIT_BYTES))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw fault('bad-payload', { format: 'remote-read request', reason: reason.replace(/\.$/, '') })
  }
}
