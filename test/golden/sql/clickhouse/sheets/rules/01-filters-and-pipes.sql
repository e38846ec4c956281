-- the whole data, newest first
-- *
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- filter, then pipes in the order written
-- connection | sort by (_time asc) | limit 1 | fields level, content
SELECT t0.level, t0.content
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time, t0.seq DESC
LIMIT {limit:Int64};
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connect[iİ]on(?:[^0-9A-Za-z_\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {limit:Int64} = 1

-- limit before sort is not sort before limit
-- * | limit 1 | sort by (_time asc) | fields content
SELECT q1.c1 AS content
FROM (
  SELECT toUnixTimestamp64Nano(t0.time) AS c0, t0.content AS c1, t0.time AS c2, t0.seq AS c3, t0.seq AS c4
  FROM logs AS t0
  ORDER BY t0.time DESC, t0.seq DESC
  LIMIT {limit:Int64}
) AS q1
ORDER BY q1.c0, q1.c2 DESC, q1.c3 DESC;
-- {limit:Int64} = 1

-- an empty filter part is everything
-- | limit 2 | fields workload
SELECT t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {limit:Int64} = 2

-- pipe names in any case, a comment, single quotes and backquotes
-- CONNECTION # who refused?
-- | Sort By (_time ASC) | FIELDS 'workload', `level` | LIMIT 5
SELECT t0.workload, t0.level
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time, t0.seq DESC
LIMIT {limit:Int64};
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connect[iİ]on(?:[^0-9A-Za-z_\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {limit:Int64} = 5
