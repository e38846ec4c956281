-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
  AND (t0.workload >= $6 AND t0.workload < $7 OR t0.workload >= $8 AND t0.workload < $9)
  AND lower(t0.workload) = $10
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"
-- $6 = "a"
-- $7 = "b"
-- $8 = "A"
-- $9 = "B"
-- $10 = "api"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.workload >= $1 AND t0.workload < $2 OR t0.workload >= $3 AND t0.workload < $4)
  AND lower(t0.workload) = $5
  AND contains(lower(t0.content), $6)
  AND (regexp_matches(lower(t0.content), $7) OR regexp_matches(lower(t0.content), $8) AND regexp_matches(lower(t0.content), $9))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "b"
-- $3 = "A"
-- $4 = "B"
-- $5 = "api"
-- $6 = "timeout"
-- $7 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $8 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $9 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two words
-- timeout ok
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
  AND contains(lower(t0.content), $5)
  AND (regexp_matches(lower(t0.content), $6) OR regexp_matches(lower(t0.content), $7) AND regexp_matches(lower(t0.content), $8))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "timeout"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "ok"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])ok(?:[^0-9A-Za-z_\\x{80}-\\x{…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])ok(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- fields nobody has
-- nobody:here workload:api
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.attributes[$1] >= $2 AND t0.attributes[$1] < $3 OR t0.attributes[$1] >= $4 AND t0.attributes[$1] < $5)
  AND lower(t0.attributes[$1]) = $6
  AND (t0.workload >= $7 AND t0.workload < $8 OR t0.workload >= $9 AND t0.workload < $10)
  AND lower(t0.workload) = $11
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "nobody"
-- $2 = "h"
-- $3 = "i"
-- $4 = "H"
-- $5 = "I"
-- $6 = "here"
-- $7 = "a"
-- $8 = "b"
-- $9 = "A"
-- $10 = "B"
-- $11 = "api"
