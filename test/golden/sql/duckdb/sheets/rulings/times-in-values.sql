-- buckets of a day
-- * | stats by (t:1d) count() rows | sort by (t)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "t"

-- buckets of a day in the other dialect
-- * | stats by (t:1d) count() rows | sort by (t)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "t"

-- buckets of an hour in a month
-- n:<6 | stats by (t:1h) count() rows | sort by (t)
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS t, t0.attributes[$attributes_key_2] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "t"
-- $attributes_key_2 = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- the difference of two times
-- n:<7 | math e - t as d | fields n, d
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS e, t0.attributes[$attributes_key_2] AS n,
  t0.attributes[$attributes_key_3] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "e"
-- $attributes_key_2 = "n"
-- $attributes_key_3 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- comparisons
-- t:>2026-03-01T10:00:00Z | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- comparisons in the other dialect
-- t:<="2026-03-01 10:20:30" | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- a range
-- t:range["2026-03-01T10:20:30Z", "2026-03-01 23:00:00"] | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- an operand without a zone
-- t:>="2026-03-01 10:20:30.1" | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- two fields
-- t:lt_field(e) | fields n
-- above: scan: the condition is a function that is not its own
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t,
  t0.attributes[$attributes_key_3] AS e
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_key_3 = "e"

-- two fields, equal or less
-- !t:le_field(e) | fields n
-- above: scan: the condition is a function that is not its own
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t,
  t0.attributes[$attributes_key_3] AS e
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_key_3 = "e"

-- moved
-- n:<6 | time_add 1h at t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- parts
-- n:<7 | datetime_extract minute from t as m | fields n, m
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- the least and the greatest
-- * | stats min(t) as a, max(t) as b, min(e) as c
SELECT min(NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern)) AS c0,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern))) AS c1,
  max(NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_2)) AS c2,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_2))) AS c3,
  min(NULLIF(t0.attributes[$attributes_key_2], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern_3)) AS c4,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key_2], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern_3))) AS c5
FROM logs AS t0;
-- $attributes_key = "t"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_key_2 = "e"
-- $attributes_pattern_3 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- in order, behind numbers and before other texts
-- * | sort by (t, n) | fields n, t
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t,
  NULLIF(t0.attributes[$attributes_key_2], '') AS c2, NULLIF(t0.attributes[$attributes_key], '') AS c3,
  epoch_ns(t0.time) AS c4, t0.seq AS c5
FROM logs AS t0
ORDER BY c2, c3, t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"

-- a time in quotes
-- * | limit 1 | math "2026-03-01 10:20:30" - "2026-03-01T12:20:00+0200" as d | fields d
SELECT $value AS d
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $value = 30000000000
-- $limit = 1
