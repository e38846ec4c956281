-- buckets of a day
-- * | stats by (t:1d) count() rows | sort by (t)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "t"

-- buckets of a day in the other dialect
-- * | stats by (t:1d) count() rows | sort by (t)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "t"

-- buckets of an hour in a month
-- n:<6 | stats by (t:1h) count() rows | sort by (t)
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS t,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "t"
-- {attributes_key_2:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- the difference of two times
-- n:<7 | math e - t as d | fields n, d
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "e"
-- {attributes_key_2:String} = "n"
-- {attributes_key_3:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- comparisons
-- t:>2026-03-01T10:00:00Z | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- comparisons in the other dialect
-- t:<="2026-03-01 10:20:30" | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- a range
-- t:range["2026-03-01T10:20:30Z", "2026-03-01 23:00:00"] | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- an operand without a zone
-- t:>="2026-03-01 10:20:30.1" | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- two fields
-- t:lt_field(e) | fields n
-- above: scan: the condition is a function that is not its own
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS e
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_key_3:String} = "e"

-- two fields, equal or less
-- !t:le_field(e) | fields n
-- above: scan: the condition is a function that is not its own
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS e
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_key_3:String} = "e"

-- moved
-- n:<6 | time_add 1h at t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- parts
-- n:<7 | datetime_extract minute from t as m | fields n, m
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- the least and the greatest
-- * | stats min(t) as a, max(t) as b, min(e) as c
SELECT minOrNull(nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String})) AS c0,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}))) AS c1,
  maxOrNull(nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_2:String})) AS c2,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_2:String}))) AS c3,
  minOrNull(nullIf(t0.attributes[{attributes_key_2:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern_3:String})) AS c4,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key_2:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern_3:String}))) AS c5
FROM logs AS t0;
-- {attributes_key:String} = "t"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_key_2:String} = "e"
-- {attributes_pattern_3:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- in order, behind numbers and before other texts
-- * | sort by (t, n) | fields n, t
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t,
  nullIf(t0.attributes[{attributes_key_2:String}], '') AS c2,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c3, toUnixTimestamp64Nano(t0.time) AS c4,
  t0.seq AS c5
FROM logs AS t0
ORDER BY c2, c3, t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"

-- a time in quotes
-- * | limit 1 | math "2026-03-01 10:20:30" - "2026-03-01T12:20:00+0200" as d | fields d
SELECT {value:Int64} AS d
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {value:Int64} = 30000000000
-- {limit:Int64} = 1
