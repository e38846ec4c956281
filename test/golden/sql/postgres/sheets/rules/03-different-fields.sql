-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE lower(t0.level) = $1::text
  AND lower(t0.workload) IN ($2::text, $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "api"
-- $3::text = "apİ"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.workload) IN ($1::text, $2::text)
  AND (position($3::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "api"
-- $2::text = "apİ"
-- $3::text = "timeout"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- two words
-- timeout ok
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
  AND (position($3::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "timeout"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "ok"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- fields nobody has
-- nobody:here workload:api
-- above: scan: its values are of several kinds
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.workload) IN ($1::text, $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "api"
-- $2::text = "apİ"
