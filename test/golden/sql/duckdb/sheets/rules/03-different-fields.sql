-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE lower(t0.level) = $1
  AND lower(t0.workload) = $2
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "api"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.workload) = $1
  AND contains(lower(t0.content), $2)
  AND regexp_matches(lower(t0.content), $3)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "api"
-- $2 = "timeout"
-- $3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two words
-- timeout ok
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
  AND contains(lower(t0.content), $3)
  AND regexp_matches(lower(t0.content), $4)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "timeout"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "ok"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- fields nobody has
-- nobody:here workload:api
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE lower(t0.attributes[$1]) = $2
  AND lower(t0.workload) = $3
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "nobody"
-- $2 = "here"
-- $3 = "api"
