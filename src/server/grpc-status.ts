import protobuf from 'protobufjs'

/** Codes of gRPC, by the HTTP status that means the same here. */
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

/** Statuses after which the same may be sent again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 503])

export interface GrpcStatus {
  readonly code: number
  /** A `google.rpc.Status` in protobuf, where it says more than the code: when to try again. */
  readonly details: Uint8Array | undefined
}

/** An HTTP status as a status of gRPC; a sender tries again only where it is told when. */
export function grpcStatus(httpStatus: number, message: string, retryAfterSeconds: number): GrpcStatus {
  const code = CODES.get(httpStatus) ?? INTERNAL
  if (!RETRYABLE.has(httpStatus)) return { code, details: undefined }
  const { Writer } = protobuf
  const delay = Writer.create().uint32(8).int64(Math.ceil(retryAfterSeconds)).finish()
  const retryInfo = Writer.create().uint32(10).bytes(delay).finish()
  const any = Writer.create()
    .uint32(10)
    .string('type.googleapis.com/google.rpc.RetryInfo')
    .uint32(18)
    .bytes(retryInfo)
    .finish()
  const details = Writer.create().uint32(8).int32(code).uint32(18).string(message).uint32(26).bytes(any).finish()
  return { code, details }
}
