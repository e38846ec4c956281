-- sort by class: numbers, times, texts, missing last
-- * | sort by (ms) | fields ms, content
SELECT t0.attributes[$attributes_key] AS ms, t0.content, NULLIF(t0.attributes[$attributes_key], '') AS c2,
  epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;
-- $attributes_key = "ms"

-- missing stays last downward
-- * | sort by (ms desc) | fields ms, content
SELECT t0.attributes[$attributes_key] AS ms, t0.content, NULLIF(t0.attributes[$attributes_key], '') AS c2,
  epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2 DESC, t0.time DESC, t0.seq DESC;
-- $attributes_key = "ms"

-- two keys, ties newest first
-- * | sort by (level asc, workload desc) | fields level, workload, content
SELECT t0.level, t0.workload, t0.content, NULLIF(t0.level, '') AS c3, NULLIF(t0.workload, '') AS c4,
  epoch_ns(t0.time) AS c5, t0.seq AS c6
FROM logs AS t0
ORDER BY c3, c4 DESC, t0.time DESC, t0.seq DESC;

-- equal keys keep newest first, then latest ingested
-- * | sort by (level) | fields level, content
SELECT t0.level, t0.content, NULLIF(t0.level, '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;

-- named columns are there, null when missing
-- * | fields level, when, content | limit 2
SELECT t0.level, t0.attributes[$attributes_key] AS "when", t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "when"
-- $limit = 2

-- limit and offset in the order written
-- * | limit 4 | offset 3 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit
OFFSET $offset;
-- $limit = 1
-- $offset = 3

-- offset, then limit
-- * | offset 1 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit
OFFSET $offset;
-- $limit = 2
-- $offset = 1

-- limit 0
-- * | limit 0
-- above: values: rows written in the query never touch stored data

-- groups by key; missing and empty are one group
-- * | stats by (level) count() as n
SELECT NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY level;

-- two keys
-- * | stats by (level, workload) count() n, sum(ms) total
SELECT NULLIF(t0.level, '') AS level, NULLIF(t0.workload, '') AS workload, count(*) AS n,
  count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS c3,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS VARCHAR) AS c4,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern))) AS c5
FROM logs AS t0
GROUP BY 1, 2
ORDER BY level, workload;
-- $attributes_key = "ms"
-- $attributes_pattern = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- no groups
-- * | stats count() rows, count(level) leveled, sum(ms) total, avg(ms) mean, min(ms) least, max(ms) most, max(big) big
SELECT count(*) AS rows, count(CASE WHEN t0.level <> '' THEN TRUE ELSE NULL END) AS leveled,
  count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS c2,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS VARCHAR) AS c3,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern))) AS c4,
  count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_3)) AS c5,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_3)) AS VARCHAR) AS c6,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_4) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_3))) AS c7,
  min(NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_5)) AS c8,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_5))) AS c9,
  max(NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_6)) AS c10,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_6))) AS c11,
  max(NULLIF(t0.attributes[$attributes_key_2], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern_7)) AS c12,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key_2], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern_7))) AS c13
FROM logs AS t0;
-- $attributes_key = "ms"
-- $attributes_pattern = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_pattern_3 = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_4 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_pattern_5 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_pattern_6 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_key_2 = "big"
-- $attributes_pattern_7 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- count if
-- * | stats by (workload) count() if (level:error) as errors, count() as all
SELECT NULLIF(t0.workload, '') AS workload,
  count(*) FILTER (WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2) AND lower(t0.level) = $level) AS errors,
  count(*) AS "all"
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"

-- nothing found: one row without groups
-- nothing | stats count() n, sum(ms) s, min(ms) m, uniq_values(ms) u
-- above: aggregate: `uniq_values`: it has no such function
SELECT t0.attributes[$attributes_key] AS ms
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "ms"
-- $content_part = "nothing"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])nothing(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])nothing(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- nothing found: no row with groups
-- nothing | stats by (level) count() n
SELECT NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
GROUP BY 1
ORDER BY level;
-- $content_part = "nothing"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])nothing(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])nothing(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

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
SELECT t0.attributes[$attributes_key] AS big, t0.attributes[$attributes_key_2] AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "big"
-- $attributes_key_2 = "ms"

-- values are text, and empty ones are left out
-- * | stats by (level) count() n, sum(ms) s
SELECT NULLIF(t0.level, '') AS level, count(*) AS n,
  count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS c2,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS VARCHAR) AS c3,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern))) AS c4
FROM logs AS t0
GROUP BY 1
ORDER BY level;
-- $attributes_key = "ms"
-- $attributes_pattern = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
