-- the whole data, newest first
-- *
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- filter, then pipes in the order written
-- connection | sort by (_time asc) | limit 1 | fields level, content
SELECT t0.level, t0.content
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time, t0.seq DESC
LIMIT $5::bigint;
-- $1 content_pattern = "%connect_on%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])connect[iİ]on(?:…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 limit = 1

-- limit before sort is not sort before limit
-- * | limit 1 | sort by (_time asc) | fields content
SELECT q1.c1 AS content
FROM (
  SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c0, t0.content AS c1, t0.time AS c2,
    t0.seq AS c3, t0.seq AS c4
  FROM logs AS t0
  ORDER BY t0.time DESC, t0.seq DESC
  LIMIT $1::bigint
) AS q1
ORDER BY q1.c0, q1.c2 DESC, q1.c3 DESC;
-- $1 limit = 1

-- an empty filter part is everything
-- | limit 2 | fields workload
SELECT t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $1::bigint;
-- $1 limit = 2

-- pipe names in any case, a comment, single quotes and backquotes
-- CONNECTION # who refused?
-- | Sort By (_time ASC) | FIELDS 'workload', `level` | LIMIT 5
SELECT t0.workload, t0.level
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time, t0.seq DESC
LIMIT $5::bigint;
-- $1 content_pattern = "%connect_on%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])connect[iİ]on(?:…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 limit = 5
