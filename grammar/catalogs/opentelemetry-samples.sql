-- The exporter's five tables of metrics as samples, each under the names that a scrape would give it: histograms as
-- `_bucket` with `le`, `_sum` and `_count`, summaries with `quantile`. Exponential histograms get a bucket for each of
-- theirs, up to its upper bound. `otel_samples` of `opentelemetry-clickhouse.yaml` maps it.
CREATE VIEW IF NOT EXISTS otel_samples AS
SELECT TimeUnix, MetricName, Value, ServiceName, '' AS le, '' AS quantile, Attributes, ResourceAttributes
FROM otel_metrics_gauge
UNION ALL
SELECT TimeUnix, MetricName, Value, ServiceName, '' AS le, '' AS quantile, Attributes, ResourceAttributes
FROM otel_metrics_sum
UNION ALL
SELECT TimeUnix, MetricName || part.1 AS MetricName, part.2 AS Value, ServiceName, part.3 AS le, '' AS quantile, Attributes, ResourceAttributes
FROM otel_metrics_histogram
ARRAY JOIN arrayConcat(
  [('_sum', Sum, ''), ('_count', toFloat64(Count), '')],
  arrayMap(
    (count, bound) -> ('_bucket', toFloat64(count), bound),
    arrayCumSum(BucketCounts),
    arrayPushBack(arrayMap(bound -> toString(bound), ExplicitBounds), '+Inf')
  )
) AS part
UNION ALL
SELECT TimeUnix, MetricName || part.1 AS MetricName, part.2 AS Value, ServiceName, part.3 AS le, '' AS quantile, Attributes, ResourceAttributes
FROM otel_metrics_exponential_histogram
ARRAY JOIN arrayConcat(
  [('_sum', Sum, ''), ('_count', toFloat64(Count), ''), ('_bucket', toFloat64(Count), '+Inf')],
  arrayMap(
    (count, bound) -> ('_bucket', toFloat64(count), toString(bound)),
    arrayCumSum(arrayConcat(arrayReverse(NegativeBucketCounts), [ZeroCount], PositiveBucketCounts)),
    arrayConcat(
      arrayReverse(arrayMap(i -> -exp2(exp2(-Scale) * (NegativeOffset + i - 1)), arrayEnumerate(NegativeBucketCounts))),
      [0.],
      arrayMap(i -> exp2(exp2(-Scale) * (PositiveOffset + i)), arrayEnumerate(PositiveBucketCounts))
    )
  )
) AS part
UNION ALL
SELECT TimeUnix, MetricName || part.1 AS MetricName, part.2 AS Value, ServiceName, '' AS le, part.3 AS quantile, Attributes, ResourceAttributes
FROM otel_metrics_summary
ARRAY JOIN arrayConcat(
  [('_sum', Sum, ''), ('_count', toFloat64(Count), '')],
  arrayMap((quantile, value) -> ('', value, toString(quantile)), `ValueAtQuantiles.Quantile`, `ValueAtQuantiles.Value`)
) AS part
