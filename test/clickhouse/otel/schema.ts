/**
 * The tables that the ClickHouse exporter of the OpenTelemetry collector creates by default (its templates of November
 * 2025, with `EventName` in logs): columns, types, indexes, keys. Only the database name and the engine options differ.
 */

const attributes = (name: string): string => `${name} Map(LowCardinality(String), String) CODEC(ZSTD(1))`

const indexes = (prefix: string, column: string): string =>
  [
    `INDEX idx_${prefix}_key mapKeys(${column}) TYPE bloom_filter(0.01) GRANULARITY 1`,
    `INDEX idx_${prefix}_value mapValues(${column}) TYPE bloom_filter(0.01) GRANULARITY 1`,
  ].join(',\n  ')

const logs = `CREATE TABLE IF NOT EXISTS {db}.otel_logs (
  Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  TimestampTime DateTime DEFAULT toDateTime(Timestamp),
  TraceId String CODEC(ZSTD(1)),
  SpanId String CODEC(ZSTD(1)),
  TraceFlags UInt8,
  SeverityText LowCardinality(String) CODEC(ZSTD(1)),
  SeverityNumber UInt8,
  ServiceName LowCardinality(String) CODEC(ZSTD(1)),
  Body String CODEC(ZSTD(1)),
  ResourceSchemaUrl LowCardinality(String) CODEC(ZSTD(1)),
  ${attributes('ResourceAttributes')},
  ScopeSchemaUrl LowCardinality(String) CODEC(ZSTD(1)),
  ScopeName String CODEC(ZSTD(1)),
  ScopeVersion LowCardinality(String) CODEC(ZSTD(1)),
  ${attributes('ScopeAttributes')},
  ${attributes('LogAttributes')},
  EventName String CODEC(ZSTD(1)),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
  ${indexes('res_attr', 'ResourceAttributes')},
  ${indexes('scope_attr', 'ScopeAttributes')},
  ${indexes('log_attr', 'LogAttributes')},
  INDEX idx_body Body TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8
) ENGINE = MergeTree
PARTITION BY toDate(TimestampTime)
PRIMARY KEY (ServiceName, TimestampTime)
ORDER BY (ServiceName, TimestampTime, Timestamp)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1`

const traces = `CREATE TABLE IF NOT EXISTS {db}.otel_traces (
  Timestamp DateTime64(9) CODEC(Delta, ZSTD(1)),
  TraceId String CODEC(ZSTD(1)),
  SpanId String CODEC(ZSTD(1)),
  ParentSpanId String CODEC(ZSTD(1)),
  TraceState String CODEC(ZSTD(1)),
  SpanName LowCardinality(String) CODEC(ZSTD(1)),
  SpanKind LowCardinality(String) CODEC(ZSTD(1)),
  ServiceName LowCardinality(String) CODEC(ZSTD(1)),
  ${attributes('ResourceAttributes')},
  ScopeName String CODEC(ZSTD(1)),
  ScopeVersion String CODEC(ZSTD(1)),
  ${attributes('SpanAttributes')},
  Duration UInt64 CODEC(ZSTD(1)),
  StatusCode LowCardinality(String) CODEC(ZSTD(1)),
  StatusMessage String CODEC(ZSTD(1)),
  Events Nested (
    Timestamp DateTime64(9),
    Name LowCardinality(String),
    Attributes Map(LowCardinality(String), String)
  ) CODEC(ZSTD(1)),
  Links Nested (
    TraceId String,
    SpanId String,
    TraceState String,
    Attributes Map(LowCardinality(String), String)
  ) CODEC(ZSTD(1)),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
  ${indexes('res_attr', 'ResourceAttributes')},
  ${indexes('span_attr', 'SpanAttributes')},
  INDEX idx_duration Duration TYPE minmax GRANULARITY 1
) ENGINE = MergeTree
PARTITION BY toDate(Timestamp)
ORDER BY (ServiceName, SpanName, toDateTime(Timestamp))
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1`

const exemplars = `Exemplars Nested (
    FilteredAttributes Map(LowCardinality(String), String),
    TimeUnix DateTime64(9),
    Value Float64,
    SpanId String,
    TraceId String
  ) CODEC(ZSTD(1))`

/** Returns the DDL of a metric table: the common columns around those of its kind. */
function metric(kind: string, columns: readonly string[]): string {
  return `CREATE TABLE IF NOT EXISTS {db}.otel_metrics_${kind} (
  ${attributes('ResourceAttributes')},
  ResourceSchemaUrl String CODEC(ZSTD(1)),
  ScopeName String CODEC(ZSTD(1)),
  ScopeVersion String CODEC(ZSTD(1)),
  ${attributes('ScopeAttributes')},
  ScopeDroppedAttrCount UInt32 CODEC(ZSTD(1)),
  ScopeSchemaUrl String CODEC(ZSTD(1)),
  ServiceName LowCardinality(String) CODEC(ZSTD(1)),
  MetricName String CODEC(ZSTD(1)),
  MetricDescription String CODEC(ZSTD(1)),
  MetricUnit String CODEC(ZSTD(1)),
  ${attributes('Attributes')},
  StartTimeUnix DateTime64(9) CODEC(Delta, ZSTD(1)),
  TimeUnix DateTime64(9) CODEC(Delta, ZSTD(1)),
  ${columns.join(',\n  ')},
  ${indexes('res_attr', 'ResourceAttributes')},
  ${indexes('scope_attr', 'ScopeAttributes')},
  ${indexes('attr', 'Attributes')}
) ENGINE = MergeTree
PARTITION BY toDate(TimeUnix)
ORDER BY (ServiceName, MetricName, Attributes, toUnixTimestamp64Nano(TimeUnix))
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1`
}

const zstd = (name: string, type: string, before = ''): string => `${name} ${type} CODEC(${before}ZSTD(1))`
const counted = [zstd('Count', 'UInt64', 'Delta, '), zstd('Sum', 'Float64')]
const extremes = [
  zstd('Flags', 'UInt32'),
  zstd('Min', 'Float64'),
  zstd('Max', 'Float64'),
  zstd('AggregationTemporality', 'Int32'),
]

export const otelTables: Readonly<Record<string, string>> = {
  otel_logs: logs,
  otel_traces: traces,
  otel_metrics_gauge: metric('gauge', [zstd('Value', 'Float64'), zstd('Flags', 'UInt32'), exemplars]),
  otel_metrics_sum: metric('sum', [
    zstd('Value', 'Float64'),
    zstd('Flags', 'UInt32'),
    exemplars,
    zstd('AggregationTemporality', 'Int32'),
    zstd('IsMonotonic', 'Boolean', 'Delta, '),
  ]),
  otel_metrics_histogram: metric('histogram', [
    ...counted,
    zstd('BucketCounts', 'Array(UInt64)'),
    zstd('ExplicitBounds', 'Array(Float64)'),
    exemplars,
    ...extremes,
  ]),
  otel_metrics_exponential_histogram: metric('exponential_histogram', [
    ...counted,
    zstd('Scale', 'Int32'),
    zstd('ZeroCount', 'UInt64'),
    zstd('PositiveOffset', 'Int32'),
    zstd('PositiveBucketCounts', 'Array(UInt64)'),
    zstd('NegativeOffset', 'Int32'),
    zstd('NegativeBucketCounts', 'Array(UInt64)'),
    exemplars,
    ...extremes,
  ]),
  otel_metrics_summary: metric('summary', [
    ...counted,
    'ValueAtQuantiles Nested (Quantile Float64, Value Float64) CODEC(ZSTD(1))',
    zstd('Flags', 'UInt32'),
  ]),
}
