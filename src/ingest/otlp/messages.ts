import protobuf from 'protobufjs'

/** The parts of OTLP that are read: field names, types and numbers as the public protocol definition gives them. */
const definition = {
  nested: {
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      fields: {
        stringValue: { type: 'string', id: 1 },
        boolValue: { type: 'bool', id: 2 },
        intValue: { type: 'int64', id: 3 },
        doubleValue: { type: 'double', id: 4 },
        arrayValue: { type: 'ArrayValue', id: 5 },
        kvlistValue: { type: 'KeyValueList', id: 6 },
        bytesValue: { type: 'bytes', id: 7 },
      },
    },
    ArrayValue: { fields: { values: { rule: 'repeated', type: 'AnyValue', id: 1 } } },
    KeyValueList: { fields: { values: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
    KeyValue: { fields: { key: { type: 'string', id: 1 }, value: { type: 'AnyValue', id: 2 } } },
    Resource: { fields: { attributes: { rule: 'repeated', type: 'KeyValue', id: 1 } } },
    Scope: {
      fields: {
        name: { type: 'string', id: 1 },
        version: { type: 'string', id: 2 },
        attributes: { rule: 'repeated', type: 'KeyValue', id: 3 },
      },
    },
    LogRecord: {
      fields: {
        timeUnixNano: { type: 'fixed64', id: 1 },
        severityNumber: { type: 'int32', id: 2 },
        severityText: { type: 'string', id: 3 },
        body: { type: 'AnyValue', id: 5 },
        attributes: { rule: 'repeated', type: 'KeyValue', id: 6 },
        traceId: { type: 'bytes', id: 9 },
        spanId: { type: 'bytes', id: 10 },
        observedTimeUnixNano: { type: 'fixed64', id: 11 },
        eventName: { type: 'string', id: 12 },
      },
    },
    ScopeLogs: {
      fields: { scope: { type: 'Scope', id: 1 }, logRecords: { rule: 'repeated', type: 'LogRecord', id: 2 } },
    },
    ResourceLogs: {
      fields: { resource: { type: 'Resource', id: 1 }, scopeLogs: { rule: 'repeated', type: 'ScopeLogs', id: 2 } },
    },
    LogsRequest: { fields: { resourceLogs: { rule: 'repeated', type: 'ResourceLogs', id: 1 } } },
    SpanStatus: { fields: { message: { type: 'string', id: 2 }, code: { type: 'int32', id: 3 } } },
    Span: {
      fields: {
        traceId: { type: 'bytes', id: 1 },
        spanId: { type: 'bytes', id: 2 },
        traceState: { type: 'string', id: 3 },
        parentSpanId: { type: 'bytes', id: 4 },
        name: { type: 'string', id: 5 },
        kind: { type: 'int32', id: 6 },
        startTimeUnixNano: { type: 'fixed64', id: 7 },
        endTimeUnixNano: { type: 'fixed64', id: 8 },
        attributes: { rule: 'repeated', type: 'KeyValue', id: 9 },
        status: { type: 'SpanStatus', id: 15 },
      },
    },
    ScopeSpans: { fields: { scope: { type: 'Scope', id: 1 }, spans: { rule: 'repeated', type: 'Span', id: 2 } } },
    ResourceSpans: {
      fields: { resource: { type: 'Resource', id: 1 }, scopeSpans: { rule: 'repeated', type: 'ScopeSpans', id: 2 } },
    },
    TraceRequest: { fields: { resourceSpans: { rule: 'repeated', type: 'ResourceSpans', id: 1 } } },
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

/** Throws a RangeError or Error of the reader on bytes that are not such a message. */
export function decodeLogsRequest(bytes: Uint8Array): LogsRequest {
  return root.lookupType('LogsRequest').decode(bytes) as unknown as LogsRequest
}

export function decodeTraceRequest(bytes: Uint8Array): TraceRequest {
  return root.lookupType('TraceRequest').decode(bytes) as unknown as TraceRequest
}

/** The answer to an export: empty when all was taken. */
export function encodeExportResponse(rejected: number, errorMessage: string): Uint8Array {
  const type = root.lookupType('ExportResponse')
  return type.encode(type.create(rejected === 0 ? {} : { partialSuccess: { rejected, errorMessage } })).finish()
}
