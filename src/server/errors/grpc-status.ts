import protobuf from 'protobufjs'

/** gRPC codes by equivalent HTTP status. */
const CODES: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 12],
  [408, 4],
  [413, 3],
  [415, 3],
  [429, 8],
  [503, 14],
  [507, 8],
])
const INTERNAL = 13

/** HTTP statuses after which a request can be retried. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 503])

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

/** A `google.rpc.Status`. */
export interface RpcStatus {
  readonly code: number
  readonly message: string
  /** Delay before a retry, seconds. Senders retry only if a delay is given. */
  readonly retrySeconds: number | undefined
}

/** Converts an HTTP status to a gRPC status. */
export function rpcStatus(httpStatus: number, message: string, retryAfter: string | null | undefined): RpcStatus {
  const retrySeconds = RETRYABLE.has(httpStatus) ? Math.ceil(Number(retryAfter ?? 1)) : undefined
  return { code: CODES.get(httpStatus) ?? INTERNAL, message, retrySeconds }
}

/** Encodes a status as protobuf. */
export function rpcStatusBytes({ code, message, retrySeconds }: RpcStatus): Uint8Array {
  const { Writer } = protobuf
  const status = Writer.create().uint32(8).int32(code).uint32(18).string(message)
  if (retrySeconds === undefined) return status.finish()
  const delay = Writer.create().uint32(8).int64(retrySeconds).finish()
  const retryInfo = Writer.create().uint32(10).bytes(delay).finish()
  const any = Writer.create().uint32(10).string(RETRY_INFO).uint32(18).bytes(retryInfo).finish()
  return status.uint32(26).bytes(any).finish()
}

/** Returns the message of a protobuf status that `rpcStatusBytes` has encoded. */
export function rpcStatusMessage(bytes: Uint8Array): string {
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === 18) return reader.string()
    reader.skipType(tag & 7)
  }
  return ''
}

/** Formats a status in protobuf's JSON. */
export function rpcStatusJson({ code, message, retrySeconds }: RpcStatus): object {
  const details = retrySeconds === undefined ? [] : [{ '@type': RETRY_INFO, retryDelay: `${retrySeconds}s` }]
  return { code, message, details }
}
