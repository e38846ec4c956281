-- sums and means
-- * | stats sum(a, a) s, avg(a, a, b) m, sum_len(a, a) l, stddev(a, b, a) d
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "b"

-- the same in the other dialect
-- * | stats sum(a, a) s, avg(a, a, b) m, sum_len(a, a) l, stddev(a, b, a) d
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "b"

-- lists
-- * | stats values(a, a) v, uniq_values(b, b) u, count(b, b) c, count_uniq(a, a) q, json_values(a, b, a) j
-- above: aggregate: `values`: it has no such function
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "b"

-- quantiles
-- * | stats median(a, b, b) m, quantile(0.9, a, a, b) q, min(a, a) i, max(b, b) x
-- above: aggregate: `median`: its values are of several kinds
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "b"

-- under another name of the field
-- * | stats sum_len(message, content) l, values(content, message) v
-- above: aggregate: `sum_len`: it has no such function
SELECT t0.content, t0.attributes -> $1::text AS message
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "message"

-- a field and a pattern that matches it
-- * | stats sum(a, a*) s, sum(a*, ab) t, values(a, a*) v
-- above: aggregate: fields named by a pattern are looked up per row
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- patterns that overlap
-- * | stats sum(a*, *b) s, sum(a*, a*) t, sum(*, *) u
-- above: aggregate: fields named by a pattern are looked up per row
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a key in front of the fields is not one of them
-- * | stats row_max(a, a, b) r, row_min(b, b) i, field_max(a, a) f
-- above: aggregate: `row_max`: it has no such function
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS b
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "b"

-- running sums
-- * | running_stats sum(a, a) s, count(a, a) c | fields a, s, c
-- above: window: `sum`: its values are of several kinds
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS a
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"

-- names of results are as written
-- * | stats sum(a, a)
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS a
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
