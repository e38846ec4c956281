-- sort by class: numbers, times, texts, missing last
-- * | sort by (ms) | fields ms, content
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms,
  t0.content, nullIf(t0.attributes[{attributes_key:String}], '') AS c2,
  toUnixTimestamp64Nano(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"

-- missing stays last downward
-- * | sort by (ms desc) | fields ms, content
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms,
  t0.content, nullIf(t0.attributes[{attributes_key:String}], '') AS c2,
  toUnixTimestamp64Nano(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2 DESC, t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"

-- two keys, ties newest first
-- * | sort by (level asc, workload desc) | fields level, workload, content
SELECT t0.level, t0.workload, t0.content, nullIf(t0.level, '') AS c3, nullIf(t0.workload, '') AS c4,
  toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6
FROM logs AS t0
ORDER BY c3, c4 DESC, t0.time DESC, t0.seq DESC;

-- equal keys keep newest first, then latest ingested
-- * | sort by (level) | fields level, content
SELECT t0.level, t0.content, nullIf(t0.level, '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;

-- named columns are there, null when missing
-- * | fields level, when, content | limit 2
SELECT t0.level,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `when`,
  t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "when"
-- {limit:Int64} = 2

-- limit and offset in the order written
-- * | limit 4 | offset 3 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64}
OFFSET {offset:Int64};
-- {limit:Int64} = 1
-- {offset:Int64} = 3

-- offset, then limit
-- * | offset 1 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64}
OFFSET {offset:Int64};
-- {limit:Int64} = 2
-- {offset:Int64} = 1

-- limit 0
-- * | limit 0
-- above: values: rows written in the query never touch stored data

-- groups by key; missing and empty are one group
-- * | stats by (level) count() as n
SELECT nullIf(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.level, '')
ORDER BY level;

-- two keys
-- * | stats by (level, workload) count() n, sum(ms) total
SELECT nullIf(t0.level, '') AS level, nullIf(t0.workload, '') AS workload, count(*) AS n,
  count(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})) AS c3,
  toString(sum(toInt128(toInt64OrNull(t0.attributes[{attributes_key:String}]))) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c4,
  toJSONString(groupArray(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_2:String}) AND NOT match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c5
FROM logs AS t0
GROUP BY nullIf(t0.level, ''), nullIf(t0.workload, '')
ORDER BY level, workload;
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "^(?:0|-?[1-9][0-9]{0,17})$"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- no groups
-- * | stats count() rows, count(level) leveled, sum(ms) total, avg(ms) mean, min(ms) least, max(ms) most, max(big) big
SELECT count(*) AS `rows`, count(CASE WHEN t0.level <> '' THEN true ELSE NULL END) AS leveled,
  count(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})) AS c2,
  toString(sum(toInt128(toInt64OrNull(t0.attributes[{attributes_key:String}]))) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c3,
  toJSONString(groupArray(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_2:String}) AND NOT match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c4,
  count(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_3:String})) AS c5,
  toString(sum(toInt128(toInt64OrNull(t0.attributes[{attributes_key:String}]))) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_3:String}))) AS c6,
  toJSONString(groupArray(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_4:String}) AND NOT match(t0.attributes[{attributes_key:String}], {attributes_pattern_3:String}))) AS c7,
  minOrNull(nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_5:String})) AS c8,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_5:String}))) AS c9,
  maxOrNull(nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_6:String})) AS c10,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_6:String}))) AS c11,
  maxOrNull(nullIf(t0.attributes[{attributes_key_2:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern_7:String})) AS c12,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key_2:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern_7:String}))) AS c13
FROM logs AS t0;
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "^(?:0|-?[1-9][0-9]{0,17})$"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_pattern_3:String} = "^(?:0|-?[1-9][0-9]{0,17})$"
-- {attributes_pattern_4:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_pattern_5:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_pattern_6:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_key_2:String} = "big"
-- {attributes_pattern_7:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- count if
-- * | stats by (workload) count() if (level:error) as errors, count() as all
SELECT nullIf(t0.workload, '') AS workload,
  count(*) FILTER (WHERE lower(t0.level) = {level:String}) AS errors, count(*) AS `all`
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;
-- {level:String} = "error"

-- nothing found: one row without groups
-- nothing | stats count() n, sum(ms) s, min(ms) m, uniq_values(ms) u
-- above: aggregate: `uniq_values`: it has no such function
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])noth[iİ]ng(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- nothing found: no row with groups
-- nothing | stats by (level) count() n
SELECT nullIf(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
GROUP BY nullIf(t0.level, '')
ORDER BY level;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])noth[iİ]ng(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a result's own name
-- * | stats count()
SELECT count(*) AS count
FROM logs AS t0;

-- by nothing
-- * | stats by () count() n
SELECT count(*) AS n
FROM logs AS t0;

-- sums are exact
-- * | stats sum(big, ms) s
-- above: aggregate: `sum`: numbers are looked for in its values one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS big,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "big"
-- {attributes_key_2:String} = "ms"

-- values are text, and empty ones are left out
-- * | stats by (level) count() n, sum(ms) s
SELECT nullIf(t0.level, '') AS level, count(*) AS n,
  count(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})) AS c2,
  toString(sum(toInt128(toInt64OrNull(t0.attributes[{attributes_key:String}]))) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c3,
  toJSONString(groupArray(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_2:String}) AND NOT match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c4
FROM logs AS t0
GROUP BY nullIf(t0.level, '')
ORDER BY level;
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "^(?:0|-?[1-9][0-9]{0,17})$"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
