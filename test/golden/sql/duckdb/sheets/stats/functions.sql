-- counts
-- * | stats by (g) count() n, count(v) v, count(v, t) vt, count_empty(t) e, count_uniq(t) u, count_uniq(v, t) uu, count_uniq(v) limit 2 as u2
-- above: aggregate: `count_uniq`: distinct values of several fields are counted together
SELECT t0.attributes[$attributes_key] AS g, t0.attributes[$attributes_key_2] AS t,
  t0.attributes[$attributes_key_3] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "g"
-- $attributes_key_2 = "t"
-- $attributes_key_3 = "v"

-- sums and means are exact
-- * | stats by (g) sum(f) s, avg(f) a, sum(v) sv, avg(v) av, stddev(f) d, sum(big, f) bf
-- above: aggregate: `stddev`: it has no such function
SELECT t0.attributes[$attributes_key] AS big, t0.attributes[$attributes_key_2] AS f,
  t0.attributes[$attributes_key_3] AS g, t0.attributes[$attributes_key_4] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "big"
-- $attributes_key_2 = "f"
-- $attributes_key_3 = "g"
-- $attributes_key_4 = "v"

-- least and greatest by class
-- * | stats by (g) min(v) least, max(v) most, min(v, f) either
-- above: aggregate: `min`: the values of several fields are compared with each other
SELECT t0.attributes[$attributes_key] AS f, t0.attributes[$attributes_key_2] AS g,
  t0.attributes[$attributes_key_3] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "f"
-- $attributes_key_2 = "g"
-- $attributes_key_3 = "v"

-- quantiles are values, not means of values
-- * | stats quantile(0, v) q0, quantile(0.25, v) q25, median(v) q50, quantile(0.99, f) q99, quantile(1, v) q1, quantile(0.5, nobody) none
-- above: aggregate: `quantile`: values are ranked by what they are
SELECT t0.attributes[$attributes_key] AS f, t0.attributes[$attributes_key_2] AS nobody,
  t0.attributes[$attributes_key_3] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "f"
-- $attributes_key_2 = "nobody"
-- $attributes_key_3 = "v"

-- lists of values
-- * | stats by (g) values(v) all, uniq_values(t) ts, values(v) limit 1 as one
-- above: aggregate: `values`: it has no such function
SELECT t0.attributes[$attributes_key] AS g, t0.attributes[$attributes_key_2] AS t,
  t0.attributes[$attributes_key_3] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "g"
-- $attributes_key_2 = "t"
-- $attributes_key_3 = "v"

-- picks
-- * | stats by (g) any(t) t, field_max(f, v) fm, field_min(f, v) fn
-- above: aggregate: `any`: it has no such function
SELECT t0.attributes[$attributes_key] AS f, t0.attributes[$attributes_key_2] AS g,
  t0.attributes[$attributes_key_3] AS t, t0.attributes[$attributes_key_4] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "f"
-- $attributes_key_2 = "g"
-- $attributes_key_3 = "t"
-- $attributes_key_4 = "v"

-- rows as JSON
-- * | stats by (g) row_max(f, v, t) most, row_min(f) least, row_any(g, t) one
-- above: aggregate: `row_max`: it has no such function
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- lists of rows
-- * | stats json_values(g, v) sort by (f desc) limit 3 as top, json_values(g) limit 2 as first
-- above: aggregate: `json_values`: it has no such function
SELECT t0.attributes[$attributes_key] AS f, t0.attributes[$attributes_key_2] AS g,
  t0.attributes[$attributes_key_3] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "f"
-- $attributes_key_2 = "g"
-- $attributes_key_3 = "v"

-- lengths, histograms, rates
-- * | stats sum_len(t) len, histogram(f) h, rate() r, rate_sum(f) rs
-- above: aggregate: `sum_len`: it has no such function
SELECT t0.attributes[$attributes_key] AS f, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "f"
-- $attributes_key_2 = "t"

-- rates over the range of the query
-- _time:[2026-01-01T00:00:00Z, 2026-01-01T00:00:10Z) | stats rate() r, rate_sum(v) rs
-- above: aggregate: `rate_sum`: it has no such function
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $time_from = 1767225600000000000
-- $time_below = 1767225610000000000

-- rates over a bucket
-- * | stats by (_time:4s) rate() r
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END AS _time,
  count(*) AS c1
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $time_width = 4000000000

-- functions of fields by pattern
-- * | stats by (g) sum(b*, f) s, count(*) n, max(*) m
-- above: aggregate: fields named by a pattern are looked up per row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- conditions on functions
-- * | stats by (g) count() if (t:x) x, sum(v) if (v:>9) s, count() switch(case (t:x) tx, default other)
-- above: aggregate: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS g, t0.attributes[$attributes_key_2] AS t,
  t0.attributes[$attributes_key_3] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "g"
-- $attributes_key_2 = "t"
-- $attributes_key_3 = "v"

-- number buckets
-- * | stats by (v:5) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"

-- decimal buckets
-- * | stats by (f:0.1) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS f
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "f"

-- sketches of few values
-- * | stats count_uniq_approx(t) u, pattern(t) p
-- above: aggregate: `count_uniq_approx`: it has no such function
SELECT t0.attributes[$attributes_key] AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "t"

-- the same in the other dialect
-- * | stats by (g) count(), min(v), median(v), uniq_values(v)
-- above: aggregate: `min-with-empty`: it has no such function
SELECT t0.attributes[$attributes_key] AS g, t0.attributes[$attributes_key_2] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "g"
-- $attributes_key_2 = "v"
