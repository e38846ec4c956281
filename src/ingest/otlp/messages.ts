import protobuf from 'protobufjs'

/** What is written of OTLP: field names, types and numbers as the public protocol definition gives them. */
const definition = {
  nested: {
    PartialSuccess: { fields: { rejected: { type: 'int64', id: 1 }, errorMessage: { type: 'string', id: 2 } } },
    ExportResponse: { fields: { partialSuccess: { type: 'PartialSuccess', id: 1 } } },
  },
}

const root = protobuf.Root.fromJSON(definition)

/** One attribute value; of both encodings, so integers may be numbers, texts or 64-bit objects with `toString`. */
export interface AnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: { toString(): string }
  readonly doubleValue?: number | string
  readonly arrayValue?: { readonly values?: readonly AnyValue[] }
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] }
  readonly bytesValue?: Uint8Array | string
}

export interface KeyValue {
  readonly key?: string
  readonly value?: AnyValue
}

/** Ids are bytes in protobuf and hex text in JSON. */
export type Id = Uint8Array | string

export interface LogRecord {
  readonly timeUnixNano?: { toString(): string }
  readonly observedTimeUnixNano?: { toString(): string }
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: AnyValue
  readonly attributes?: readonly KeyValue[]
  readonly traceId?: Id
  readonly spanId?: Id
  readonly eventName?: string
}

export interface Span {
  readonly traceId?: Id
  readonly spanId?: Id
  readonly parentSpanId?: Id
  readonly name?: string
  readonly kind?: number | string
  readonly startTimeUnixNano?: { toString(): string }
  readonly endTimeUnixNano?: { toString(): string }
  readonly attributes?: readonly KeyValue[]
  readonly status?: { readonly message?: string; readonly code?: number | string }
}

interface Resource {
  readonly attributes?: readonly KeyValue[]
}

interface Scope {
  readonly name?: string
  readonly version?: string
}

export interface LogsRequest {
  readonly resourceLogs?: readonly {
    readonly resource?: Resource
    readonly scopeLogs?: readonly { readonly scope?: Scope; readonly logRecords?: readonly LogRecord[] }[]
  }[]
}

export interface TraceRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: Resource
    readonly scopeSpans?: readonly { readonly scope?: Scope; readonly spans?: readonly Span[] }[]
  }[]
}

/** The answer to an export: empty when all was taken. */
export function encodeExportResponse(rejected: number, errorMessage: string): Uint8Array {
  const type = root.lookupType('ExportResponse')
  return type.encode(type.create(rejected === 0 ? {} : { partialSuccess: { rejected, errorMessage } })).finish()
}
