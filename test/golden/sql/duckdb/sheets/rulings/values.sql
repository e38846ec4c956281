-- values as they are
-- * | fields v, e, flag, deep.a.b
SELECT t0.attributes[$attributes_key] AS v, t0.attributes[$attributes_key_2] AS e,
  t0.attributes[$attributes_key_3] AS flag, t0.attributes[$attributes_key_4] AS "deep.a.b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_key_2 = "e"
-- $attributes_key_3 = "flag"
-- $attributes_key_4 = "deep.a.b"

-- a big integer is found exactly
-- v:9007199254740993 | fields cluster, v
SELECT t0.cluster, t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_from = "9007199254740993"
-- $attributes_below = "9007199254740994"
-- $attributes = "9007199254740993"

-- and its neighbour is not
-- v:9007199254740992 | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_from = "9007199254740992"
-- $attributes_below = "9007199254740993"
-- $attributes = "9007199254740992"

-- zero has no sign
-- v:0 | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_from = "0"
-- $attributes_below = "1"
-- $attributes = "0"

-- false is a value
-- flag:* | fields flag
SELECT t0.attributes[$attributes_key] AS flag
FROM logs AS t0
WHERE t0.attributes[$attributes_key] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "flag"

-- any field with a prefix
-- deep*:1 | fields workload
-- above: scan: fields that nobody declared are looked through row by row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- any field at all
-- *:api | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
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
