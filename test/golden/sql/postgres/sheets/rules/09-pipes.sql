-- sort by class: numbers, times, texts, missing last
-- * | sort by (ms) | fields ms, content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- missing stays last downward
-- * | sort by (ms desc) | fields ms, content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- two keys, ties newest first
-- * | sort by (level asc, workload desc) | fields level, workload, content
SELECT t0.level, t0.workload, t0.content, NULLIF(t0.level, '') AS c3, NULLIF(t0.workload, '') AS c4,
  (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c5, t0.seq AS c6
FROM logs AS t0
ORDER BY c3, c4 DESC NULLS LAST, t0.time DESC, t0.seq DESC;

-- equal keys keep newest first, then latest ingested
-- * | sort by (level) | fields level, content
SELECT t0.level, t0.content, NULLIF(t0.level, '') AS c2,
  (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;

-- named columns are there, null when missing
-- * | fields level, when, content | limit 2
SELECT t0.level, t0.attributes -> $1::text AS "when", t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 attributes_key = "when"
-- $2 limit = 2

-- limit and offset in the order written
-- * | limit 4 | offset 3 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $1::bigint
OFFSET $2::bigint;
-- $1 limit = 1
-- $2 offset = 3

-- offset, then limit
-- * | offset 1 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $1::bigint
OFFSET $2::bigint;
-- $1 limit = 2
-- $2 offset = 1

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
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.level, t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- no groups
-- * | stats count() rows, count(level) leveled, sum(ms) total, avg(ms) mean, min(ms) least, max(ms) most, max(big) big
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.level, t0.attributes -> $1::text AS big, t0.attributes -> $2::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "big"
-- $2 attributes_key_2 = "ms"

-- count if
-- * | stats by (workload) count() if (level:error) as errors, count() as all
SELECT NULLIF(t0.workload, '') AS workload, count(*) FILTER (WHERE t0.level = ANY($1::text[])) AS errors,
  count(*) AS "all"
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- nothing found: one row without groups
-- nothing | stats count() n, sum(ms) s, min(ms) m, uniq_values(ms) u
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS ms
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
-- $2 content_pattern = "%noth_ng%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])noth[iİ]ng(?:[\\…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- nothing found: no row with groups
-- nothing | stats by (level) count() n
SELECT NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
GROUP BY 1
ORDER BY level;
-- $1 content_pattern = "%noth_ng%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])noth[iİ]ng(?:[\\…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

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
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS big, t0.attributes -> $2::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "big"
-- $2 attributes_key_2 = "ms"

-- values are text, and empty ones are left out
-- * | stats by (level) count() n, sum(ms) s
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.level, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
