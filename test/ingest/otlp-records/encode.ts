import protobuf from 'protobufjs'

/** Messages of log and trace exports, reduced to the fields that the tests send. */
const root = protobuf.parse(
  `syntax = "proto3";
  message Logs { repeated ResourceLogs resource = 1; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope = 2; }
  message ScopeLogs { Scope scope = 1; repeated LogRecord records = 2; }
  message Traces { repeated ResourceSpans resource = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope = 2; }
  message ScopeSpans { Scope scope = 1; repeated Span records = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
    ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7; } }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
  message LogRecord { fixed64 timeUnixNano = 1; fixed64 observedTimeUnixNano = 11; int32 severityNumber = 2; string severityText = 3;
    AnyValue body = 5; repeated KeyValue attributes = 6; uint32 droppedAttributesCount = 7; fixed32 flags = 8; bytes traceId = 9;
    bytes spanId = 10; string eventName = 12; }
  message Span { bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
    fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9; repeated Event events = 11;
    repeated Link links = 13; Status status = 15; fixed32 flags = 16; }
  message Event { fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes traceId = 1; bytes spanId = 2; string traceState = 3; repeated KeyValue attributes = 4; }
  message Status { string message = 2; int32 code = 3; }`,
  { keepCase: true },
).root

/** The records of one resource and scope. */
export interface RecordsOfScope {
  /** Attributes as OTLP `KeyValue` objects. */
  readonly resource: readonly object[]
  readonly scopeName?: string
  /** Further members of the scope; ignored without `scopeName`. */
  readonly scope?: object
  readonly records: readonly object[]
}

/** Encodes an export of records as protobuf. Its members are those of the JSON form, except that ids are bytes. */
export function encodeRecords(signal: 'Logs' | 'Traces', scopes: readonly RecordsOfScope[]): Uint8Array<ArrayBuffer> {
  const type = root.lookupType(signal)
  const resource = scopes.map(({ resource: attributes, scopeName, scope, records }) => ({
    resource: { attributes },
    scope: [{ ...(scopeName === undefined ? {} : { scope: { name: scopeName, ...scope } }), records }],
  }))
  return new Uint8Array(type.encode(type.fromObject({ resource })).finish())
}
