import protobuf from 'protobufjs'

/** Messages of an OTLP metrics export, from the public definition of the protocol. */
const root = protobuf.parse(
  `
  syntax = "proto3";
  message Request { repeated ResourceMetrics resourceMetrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scopeMetrics = 2; string schemaUrl = 3; }
  message Resource { repeated KeyValue attributes = 1; uint32 droppedAttributesCount = 2; }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; string schemaUrl = 3; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
    ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7; } }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
  message Metric { string name = 1; string description = 2; string unit = 3; oneof data { Gauge gauge = 5; Sum sum = 7;
    Histogram histogram = 9; ExponentialHistogram exponentialHistogram = 10; Summary summary = 11; } }
  message Gauge { repeated NumberDataPoint dataPoints = 1; }
  message Sum { repeated NumberDataPoint dataPoints = 1; int32 aggregationTemporality = 2; bool isMonotonic = 3; }
  message Histogram { repeated HistogramDataPoint dataPoints = 1; int32 aggregationTemporality = 2; }
  message ExponentialHistogram { repeated ExponentialHistogramDataPoint dataPoints = 1; int32 aggregationTemporality = 2; }
  message Summary { repeated SummaryDataPoint dataPoints = 1; }
  message NumberDataPoint { repeated KeyValue attributes = 7; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3;
    oneof value { double asDouble = 4; sfixed64 asInt = 6; } repeated Exemplar exemplars = 5; uint32 flags = 8; }
  message HistogramDataPoint { repeated KeyValue attributes = 9; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3;
    fixed64 count = 4; optional double sum = 5; repeated fixed64 bucketCounts = 6; repeated double explicitBounds = 7;
    repeated Exemplar exemplars = 8; uint32 flags = 10; optional double min = 11; optional double max = 12; }
  message ExponentialHistogramDataPoint { repeated KeyValue attributes = 1; fixed64 startTimeUnixNano = 2;
    fixed64 timeUnixNano = 3; fixed64 count = 4; optional double sum = 5; sint32 scale = 6; fixed64 zeroCount = 7;
    Buckets positive = 8; Buckets negative = 9; uint32 flags = 10; repeated Exemplar exemplars = 11;
    optional double min = 12; optional double max = 13; double zeroThreshold = 14; }
  message Buckets { sint32 offset = 1; repeated uint64 bucketCounts = 2; }
  message SummaryDataPoint { repeated KeyValue attributes = 7; fixed64 startTimeUnixNano = 2; fixed64 timeUnixNano = 3;
    fixed64 count = 4; double sum = 5; repeated Quantile quantileValues = 6; uint32 flags = 8; }
  message Quantile { double quantile = 1; double value = 2; }
  message Exemplar { fixed64 timeUnixNano = 2; double asDouble = 3; bytes spanId = 4; bytes traceId = 5; sfixed64 asInt = 6;
    repeated KeyValue filteredAttributes = 7; }
  message Answer { Partial partialSuccess = 1; }
  message Partial { int64 rejectedDataPoints = 1; string errorMessage = 2; }
`,
  { keepCase: true },
).root

/** Encodes an export of metrics as protobuf. Its members are those of the JSON form, except that ids are bytes. */
export function encodeMetrics(request: object): Uint8Array<ArrayBuffer> {
  const type = root.lookupType('Request')
  return new Uint8Array(type.encode(type.fromObject(request)).finish())
}

/** Decodes the response to an export. */
export function decodeAnswer(bytes: Uint8Array): {
  partialSuccess?: { rejectedDataPoints: string; errorMessage: string }
} {
  const type = root.lookupType('Answer')
  return type.toObject(type.decode(bytes), { longs: String })
}

/** Returns string attributes in OTLP form. */
export function attributes(values: Readonly<Record<string, string>>): object[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

/** Returns an export with one resource and one scope. */
export function exportOf(metrics: readonly object[], resource: Readonly<Record<string, string>> = {}): object {
  return { resourceMetrics: [{ resource: { attributes: attributes(resource) }, scopeMetrics: [{ metrics }] }] }
}
