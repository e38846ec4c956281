-- values as they are
-- * | fields v, e, flag, deep.a.b
SELECT t0.attributes -> $1::text AS v, t0.attributes -> $2::text AS e, t0.attributes -> $3::text AS flag,
  t0.attributes -> $4::text AS "deep.a.b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes_key_2 = "e"
-- $3 attributes_key_3 = "flag"
-- $4 attributes_key_4 = "deep.a.b"

-- a big integer is found exactly
-- v:9007199254740993 | fields cluster, v
SELECT t0.cluster, t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) = $2::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "9007199254740993"

-- and its neighbour is not
-- v:9007199254740992 | fields v
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "9007199254740992"
-- $3 attributes_from = "9007199254740991.5"
-- $4 attributes_to = "9007199254740993"

-- zero has no sign
-- v:0 | fields v
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "0"
-- $3 attributes_from = "-0.00000000000000000000000000000000000000000000000000000000000000000000…
-- $4 attributes_to = "0.000000000000000000000000000000000000000000000000000000000000000000000…

-- false is a value
-- flag:* | fields flag
SELECT t0.attributes -> $1::text AS flag
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "flag"

-- any field with a prefix
-- deep*:1 | fields workload
-- above: scan: fields that nobody declared are looked through row by row
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- any field at all
-- *:api | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- two fields of one value
-- workload:eq_field(pod) | fields cluster
-- above: scan: the condition is a function that is not its own
SELECT t0.cluster, t0.workload, t0.pod
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p add up
-- v:>0 or -v:>0 | stats count() n
SELECT count(*) AS n
FROM logs AS t0;
