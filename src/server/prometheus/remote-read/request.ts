import protobuf from 'protobufjs'
import { z } from 'zod'
import { unpackSnappy } from '../../../ingest/metrics/index.ts'
import type { LabelMatcher } from '../../../plan/index.ts'
import { compileMatcher } from '../../../store/index.ts'
import { fault } from '../../http-fault.ts'

type Reader = protobuf.Reader

/** What a body of remote read asks, for the OpenAPI document; it comes as a packed message. */
export const remoteReadBody = z
  .string()
  .meta({ id: 'RemoteReadRequest', description: 'A `prometheus.ReadRequest` as a block of Snappy.' })

/** Samples of series that pass all matchers, from `startMs` to `endMs`, both included. */
export interface RemoteQuery {
  readonly startMs: number
  readonly endMs: number
  readonly matchers: readonly LabelMatcher[]
}

export interface RemoteReadRequest {
  readonly queries: readonly RemoteQuery[]
  /** True when the client takes chunks rather than samples. */
  readonly wantsChunks: boolean
}

type MatchOp = LabelMatcher['op']

const OPS: readonly MatchOp[] = ['=', '!=', '=~', '!~']
const STREAMED_XOR_CHUNKS = 1
/** What the body may unpack to. */
const LIMIT_BYTES = 4 * 2 ** 20
const MAX_QUERIES = 1000

/** 64-bit integers are numbers, or objects where a library for them is loaded. */
function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : (value as { toNumber(): number }).toNumber()
}

function endOf(reader: Reader): number {
  return reader.uint32() + reader.pos
}

function readMatcher(reader: Reader): LabelMatcher {
  const end = endOf(reader)
  let op: MatchOp | undefined = '='
  let label = ''
  let value = ''
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) op = OPS[reader.int32()]
    else if (tag >>> 3 === 2) label = reader.string()
    else if (tag >>> 3 === 3) value = reader.string()
    else reader.skipType(tag & 7)
  }
  if (op === undefined) throw new Error('a matcher is of a kind that there is not')
  return { label, op, value }
}

function readQuery(reader: Reader): RemoteQuery {
  const end = endOf(reader)
  const matchers: LabelMatcher[] = []
  let startMs = 0
  let endMs = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) startMs = toNumber(reader.int64())
    else if (tag >>> 3 === 2) endMs = toNumber(reader.int64())
    else if (tag >>> 3 === 3) matchers.push(readMatcher(reader))
    else reader.skipType(tag & 7)
  }
  return { startMs, endMs, matchers }
}

/** The first kind of answer that is known here decides. */
function readTypes(reader: Reader, wireType: number, types: number[]): void {
  if (wireType !== 2) {
    types.push(reader.int32())
    return
  }
  const end = endOf(reader)
  while (reader.pos < end) types.push(reader.int32())
}

function readMessage(bytes: Uint8Array): RemoteReadRequest {
  const reader = protobuf.Reader.create(bytes)
  const queries: RemoteQuery[] = []
  const types: number[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) queries.push(readQuery(reader))
    else if (tag >>> 3 === 2) readTypes(reader, tag & 7, types)
    else reader.skipType(tag & 7)
    if (queries.length > MAX_QUERIES) throw new Error(`it has more than ${MAX_QUERIES} queries`)
  }
  const known = types.find((type) => type === 0 || type === STREAMED_XOR_CHUNKS)
  for (const { matchers } of queries) for (const matcher of matchers) compileMatcher(matcher)
  return { queries, wantsChunks: known === STREAMED_XOR_CHUNKS }
}

/** Throws `server/bad-payload`. */
export function decodeRemoteRead(body: Uint8Array): RemoteReadRequest {
  try {
    return readMessage(unpackSnappy(body, LIMIT_BYTES))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw fault('bad-payload', { format: 'remote-read request', reason: reason.replace(/\.$/, '') })
  }
}
