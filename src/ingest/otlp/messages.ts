import protobuf from 'protobufjs'

/** The messages of OTLP that are read and written, from the protocol's public definition. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Resource { repeated KeyValue attributes = 1; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
      ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }

  message LogRecord {
    fixed64 timeUnixNano = 1; fixed64 observedTimeUnixNano = 11;
    int32 severityNumber = 2; string severityText = 3; AnyValue body = 5; repeated KeyValue attributes = 6;
    bytes traceId = 9; bytes spanId = 10; string eventName = 12;
  }
  message Span {
    bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
    fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9;
    repeated Event events = 11; repeated Link links = 13; Status status = 15;
  }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
  message Event { fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes traceId = 1; bytes spanId = 2; string traceState = 3; repeated KeyValue attributes = 4; }
  message Status { string message = 2; int32 code = 3; }

  // The data of a metric is read point by point.
  message Metric {
    string name = 1; string description = 2; string unit = 3;
    oneof data { bytes gauge = 5; bytes sum = 7; bytes histogram = 9; bytes exponentialHistogram = 10; bytes summary = 11; }
  }
  message Data { int32 aggregationTemporality = 2; bool isMonotonic = 3; }
  message NumberDataPoint {
    fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; oneof value { double asDouble = 4; sfixed64 asInt = 6; }
    repeated Exemplar exemplars = 5; repeated KeyValue attributes = 7; uint32 flags = 8;
  }
  message HistogramDataPoint {
    fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4; optional double sum = 5;
    repeated fixed64 bucketCounts = 6; repeated double explicitBounds = 7;
    repeated Exemplar exemplars = 8; repeated KeyValue attributes = 9; uint32 flags = 10;
  }
  message ExponentialHistogramDataPoint {
    repeated KeyValue attributes = 1; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4;
    optional double sum = 5; sint32 scale = 6; fixed64 zeroCount = 7; Buckets positive = 8; Buckets negative = 9;
    uint32 flags = 10; repeated Exemplar exemplars = 11; double zeroThreshold = 14;
  }
  message Buckets { sint32 offset = 1; repeated uint64 bucketCounts = 2; }
  message SummaryDataPoint {
    fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3; fixed64 count = 4; double sum = 5;
    repeated Quantile quantileValues = 6; repeated KeyValue attributes = 7; uint32 flags = 8;
  }
  message Quantile { double quantile = 1; double value = 2; }
  message Exemplar {
    fixed64 timeUnixNano = 2; oneof number { double asDouble = 3; sfixed64 asInt = 6; }
    bytes spanId = 4; bytes traceId = 5; repeated KeyValue filteredAttributes = 7;
  }

  message ExportResponse { PartialSuccess partialSuccess = 1; }
  message PartialSuccess { int64 rejected = 1; string errorMessage = 2; }
`)

/** Returns a message type of OTLP by its name. */
export function otlpType(name: string): protobuf.Type {
  return root.resolveAll().lookupType(name)
}

/** A 64-bit integer in one of its encodings. */
export type Integer = number | bigint | string

/** An attribute value in either encoding. Integers may be numbers, big integers or strings. */
export interface AnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: Integer
  readonly doubleValue?: number | string
  readonly arrayValue?: { readonly values?: readonly AnyValue[] }
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] }
  readonly bytesValue?: Uint8Array | string
}

export interface KeyValue {
  readonly key?: string
  readonly value?: AnyValue
}

/** An id: bytes in protobuf, hex in JSON. */
export type Id = Uint8Array | string

export interface LogRecord {
  readonly timeUnixNano?: Integer
  readonly observedTimeUnixNano?: Integer
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
  readonly traceState?: string
  readonly parentSpanId?: Id
  readonly name?: string
  readonly kind?: number | string
  readonly startTimeUnixNano?: Integer
  readonly endTimeUnixNano?: Integer
  readonly attributes?: readonly KeyValue[]
  readonly events?: readonly Event[]
  readonly links?: readonly Link[]
  readonly status?: { readonly message?: string; readonly code?: number | string }
}

export interface Event {
  readonly timeUnixNano?: Integer
  readonly name?: string
  readonly attributes?: readonly KeyValue[]
}

export interface Link {
  readonly traceId?: Id
  readonly spanId?: Id
  readonly traceState?: string
  readonly attributes?: readonly KeyValue[]
}

export interface Resource {
  readonly attributes?: readonly KeyValue[]
}

export interface Scope {
  readonly name?: string
  readonly version?: string
  readonly attributes?: readonly KeyValue[]
}

export interface LogsRequest {
  readonly resourceLogs?: readonly {
    readonly resource?: Resource
    readonly scopeLogs?: readonly { readonly scope?: Scope; readonly logRecords?: readonly LogRecord[] }[]
  }[]
}

export interface ResourceSpans {
  readonly resource?: Resource
  readonly scopeSpans?: readonly { readonly scope?: Scope; readonly spans?: readonly Span[] }[]
}

export interface TraceRequest {
  readonly resourceSpans?: readonly ResourceSpans[]
}

/** Encodes the response to an export; it is empty when everything was accepted. */
export function encodeExportResponse(rejected: number, errorMessage: string): Uint8Array {
  const type = otlpType('ExportResponse')
  return type.encode(type.create(rejected === 0 ? {} : { partialSuccess: { rejected, errorMessage } })).finish()
}
