-- the whole data, newest first
-- *
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- filter, then pipes in the order written
-- connection | sort by (_time asc) | limit 1 | fields level, content
SELECT t0.level, t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time, t0.seq DESC
LIMIT $limit;
-- $content_part = "connection"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $limit = 1

-- limit before sort is not sort before limit
-- * | limit 1 | sort by (_time asc) | fields content
SELECT q1.c1 AS content
FROM (
  SELECT epoch_ns(t0.time) AS c0, t0.content AS c1, t0.time AS c2, t0.seq AS c3, t0.seq AS c4
  FROM logs AS t0
  ORDER BY t0.time DESC, t0.seq DESC
  LIMIT $limit
) AS q1
ORDER BY q1.c0, q1.c2 DESC, q1.c3 DESC;
-- $limit = 1

-- an empty filter part is everything
-- | limit 2 | fields workload
SELECT t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $limit = 2

-- pipe names in any case, a comment, single quotes and backquotes
-- CONNECTION # who refused?
-- | Sort By (_time ASC) | FIELDS 'workload', `level` | LIMIT 5
SELECT t0.workload, t0.level
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time, t0.seq DESC
LIMIT $limit;
-- $content_part = "connection"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $limit = 5
