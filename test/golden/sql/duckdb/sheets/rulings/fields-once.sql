-- sums and means
-- * | stats sum(a, a) s, avg(a, a, b) m, sum_len(a, a) l, stddev(a, b, a) d
-- above: aggregate: `avg`: numbers are looked for in its values one by one
SELECT t0.attributes[$attributes_key] AS a, t0.attributes[$attributes_key_2] AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a"
-- $attributes_key_2 = "b"

-- the same in the other dialect
-- * | stats sum(a, a) s, avg(a, a, b) m, sum_len(a, a) l, stddev(a, b, a) d
-- above: aggregate: `avg`: numbers are looked for in its values one by one
SELECT t0.attributes[$attributes_key] AS a, t0.attributes[$attributes_key_2] AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a"
-- $attributes_key_2 = "b"

-- lists
-- * | stats values(a, a) v, uniq_values(b, b) u, count(b, b) c, count_uniq(a, a) q, json_values(a, b, a) j
-- above: aggregate: `values`: it has no such function
SELECT t0.attributes[$attributes_key] AS a, t0.attributes[$attributes_key_2] AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a"
-- $attributes_key_2 = "b"

-- quantiles
-- * | stats median(a, b, b) m, quantile(0.9, a, a, b) q, min(a, a) i, max(b, b) x
-- above: aggregate: `median`: values are ranked by what they are
SELECT t0.attributes[$attributes_key] AS a, t0.attributes[$attributes_key_2] AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a"
-- $attributes_key_2 = "b"

-- under another name of the field
-- * | stats sum_len(message, content) l, values(content, message) v
-- above: aggregate: `sum_len`: it has no such function
SELECT t0.content, t0.attributes[$attributes_key] AS message
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "message"

-- a field and a pattern that matches it
-- * | stats sum(a, a*) s, sum(a*, ab) t, values(a, a*) v
-- above: aggregate: fields named by a pattern are looked up per row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- patterns that overlap
-- * | stats sum(a*, *b) s, sum(a*, a*) t, sum(*, *) u
-- above: aggregate: fields named by a pattern are looked up per row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a key in front of the fields is not one of them
-- * | stats row_max(a, a, b) r, row_min(b, b) i, field_max(a, a) f
-- above: aggregate: `row_max`: it has no such function
SELECT t0.attributes[$attributes_key] AS a, t0.attributes[$attributes_key_2] AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a"
-- $attributes_key_2 = "b"

-- running sums
-- * | running_stats sum(a, a) s, count(a, a) c | fields a, s, c
-- above: window: `sum`: numbers are looked for in its values one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS a
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a"

-- names of results are as written
-- * | stats sum(a, a)
SELECT count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS c0,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS VARCHAR) AS c1,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern))) AS c2
FROM logs AS t0;
-- $attributes_key = "a"
-- $attributes_pattern = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
