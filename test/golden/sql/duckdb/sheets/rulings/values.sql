-- values as they are
-- * | fields v, e, flag, deep.a.b
SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, t0.attributes[$3] AS c2, t0.attributes[$4] AS c3
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "v"
-- $2 = "e"
-- $3 = "flag"
-- $4 = "deep.a.b"

-- a big integer is found exactly
-- v:9007199254740993 | fields cluster, v
SELECT t0.cluster, t0.attributes[$1] AS c1
FROM logs AS t0
WHERE t0.attributes[$1] >= $2
  AND t0.attributes[$1] < $3
  AND lower(t0.attributes[$1]) = $4
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "v"
-- $2 = "9007199254740993"
-- $3 = "9007199254740994"
-- $4 = "9007199254740993"

-- and its neighbour is not
-- v:9007199254740992 | fields v
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE t0.attributes[$1] >= $2
  AND t0.attributes[$1] < $3
  AND lower(t0.attributes[$1]) = $4
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "v"
-- $2 = "9007199254740992"
-- $3 = "9007199254740993"
-- $4 = "9007199254740992"

-- zero has no sign
-- v:0 | fields v
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE t0.attributes[$1] >= $2
  AND t0.attributes[$1] < $3
  AND lower(t0.attributes[$1]) = $4
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "v"
-- $2 = "0"
-- $3 = "1"
-- $4 = "0"

-- false is a value
-- flag:* | fields flag
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE t0.attributes[$1] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "flag"

-- any field with a prefix
-- deep*:1 | fields workload
-- above: scan: fields that nobody declared are looked through row by row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- any field at all
-- *:api | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
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
SELECT count(*) AS c0
FROM logs AS t0;
