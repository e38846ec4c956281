-- Logs in ClickHouse as Sluice reads them best; `clickhouse-logs.yaml` beside it maps it. Add a column for each field that
-- queries often name, and leave the rest to `attributes`: a column is read alone, a map with all its names.
CREATE TABLE IF NOT EXISTS logs (
  time DateTime64(9) CODEC(DoubleDelta, ZSTD(1)),
  -- Orders rows of one instant, the latest first.
  arrival UInt64 DEFAULT generateSnowflakeID() CODEC(DoubleDelta, ZSTD(1)),
  level LowCardinality(String),
  workload LowCardinality(String),
  namespace LowCardinality(String),
  env LowCardinality(String),
  cluster LowCardinality(String),
  pod LowCardinality(String),
  trace_id String CODEC(ZSTD(1)),
  status UInt16,
  duration_ms Float64 CODEC(ZSTD(1)),
  content String CODEC(ZSTD(1)),
  attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),

  -- Whole words of `content`. What is not ASCII, which the tokenizer takes for letters, is made spaces; two letters that
  -- lower to ASCII are lowered first. Queries ask it for the runs of ASCII letters and digits that they look for.
  INDEX words replaceRegexpAll(lower(replaceAll(replaceAll(content, 'İ', 'i'), 'K', 'k')), '[^\\x00-\\x7F]+', ' ')
    TYPE text(tokenizer = 'splitByNonAlpha'),
  -- Queries compare without regard to case unless told otherwise.
  INDEX trace_ids lower(trace_id) TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX exact_trace_ids trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX attribute_names mapKeys(attributes) TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX attribute_values mapValues(attributes) TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toDate(time)
-- Newest first is the order of most answers, and a range of times the most common condition.
ORDER BY (time, arrival)
