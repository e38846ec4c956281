-- a list of fields
-- * | fields n, a:b, c.
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS "a:b",
  t0.attributes -> $3::text AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "a:b"
-- $3 attributes_key_3 = "c."

-- a list of fields in the other dialect
-- * | fields n, a:b, c.
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS "a:b",
  t0.attributes -> $3::text AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "a:b"
-- $3 attributes_key_3 = "c."

-- by pattern
-- * | fields a:*, n | delete n
-- above: project: undeclared fields chosen by a pattern are only known row by row
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- arguments of functions
-- * | stats sum(c.) s, count_uniq(a:b) as u:v
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "c."

-- keys
-- * | uniq by (a:b) | sort by (a:b desc)
-- above: distinct: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS "a:b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"

-- other names
-- * | rename a:b as x:y, c. z | copy x:y k:l | fields n, x:y, k:l, z
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS "x:y",
  t0.attributes -> $2::text AS "k:l", t0.attributes -> $3::text AS z
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "a:b"
-- $3 attributes_key_3 = "c."

-- order
-- * | sort by (a:b desc, c. desc) | fields n
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS "c.",
  t0.attributes -> $3::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "c."
-- $3 attributes_key_3 = "n"

-- the length of a value
-- * | len(a:b) as l: | fields n, l:
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "n"

-- taken out of a text
-- n:1 | format "k=v1 w" as t | extract "k=<k:v> " from t | fields k:v
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT TRUE AS c0
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "1"
-- $3 attributes_from = "0.999999999999999944488848768742172978818416595458984375"
-- $4 attributes_to = "1.00000000000000011102230246251565404236316680908203125"

-- written into a text
-- * | format "<a:b>/<c.>" as t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS "c.",
  t0.attributes -> $3::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "c."
-- $3 attributes_key_3 = "n"

-- options of a text stay options
-- n:1 | format "<uc:b> <uc:a:b> <:uc:d> <uc:uc:d>" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS b,
  t0.attributes -> $3::text AS "uc:d"
FROM logs AS t0
WHERE ((t0.attributes ->> $4::text) = $5::text OR jsonb_typeof(t0.attributes -> $4::text) = 'number' AND (t0.attributes -> $4::text) >= ($6::text::jsonb) AND (t0.attributes -> $4::text) <= ($7::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "b"
-- $3 attributes_key_3 = "uc:d"
-- $4 attributes_key_4 = "n"
-- $5 attributes = "1"
-- $6 attributes_from = "0.999999999999999944488848768742172978818416595458984375"
-- $7 attributes_to = "1.00000000000000011102230246251565404236316680908203125"

-- arithmetic
-- * | math c. * 2 + c. as d:e | fields n, d:e
-- above: extend: `add` is no function of its own
SELECT t0.attributes -> $1::text AS "c.", t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "c."
-- $2 attributes_key_2 = "n"

-- buckets stay buckets
-- * | stats by (_time:1d, ip:/8) count() k | sort by (ip)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ip"

-- a key with a dot at its end, in buckets
-- * | stats by (c.:2) count() k | sort by (c.)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "c."

-- fields of another query
-- * | join by (a:b) (* | stats by ("a:b") max(n) m:n) | fields n, m:n
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS "m:n",
  t0.attributes -> $3::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "m:n"
-- $3 attributes_key_3 = "n"
SELECT t0.attributes -> $1::text AS "a:b", t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a:b"
-- $2 attributes_key_2 = "n"

-- a field of a comparison
-- * | copy a:b as e | filter e:eq_field(a:b) | fields n
-- above: scan: the condition is a function that is not its own
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS "a:b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "a:b"
