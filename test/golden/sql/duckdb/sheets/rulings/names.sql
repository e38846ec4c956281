-- a list of fields
-- * | fields n, a:b, c.
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS "a:b",
  t0.attributes[$attributes_key_3] AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "a:b"
-- $attributes_key_3 = "c."

-- a list of fields in the other dialect
-- * | fields n, a:b, c.
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS "a:b",
  t0.attributes[$attributes_key_3] AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "a:b"
-- $attributes_key_3 = "c."

-- by pattern
-- * | fields a:*, n | delete n
-- above: project: undeclared fields chosen by a pattern are only known row by row
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- arguments of functions
-- * | stats sum(c.) s, count_uniq(a:b) as u:v
SELECT count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS c0,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS VARCHAR) AS c1,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern))) AS c2,
  count(DISTINCT t0.attributes[$attributes_key_2]) FILTER (WHERE t0.attributes[$attributes_key_2] <> '') AS "u:v"
FROM logs AS t0;
-- $attributes_key = "c."
-- $attributes_pattern = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_key_2 = "a:b"

-- keys
-- * | uniq by (a:b) | sort by (a:b desc)
SELECT NULLIF(t0.attributes[$attributes_key], '') AS "a:b"
FROM logs AS t0
GROUP BY 1
ORDER BY "a:b" DESC;
-- $attributes_key = "a:b"

-- other names
-- * | rename a:b as x:y, c. z | copy x:y k:l | fields n, x:y, k:l, z
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS "x:y",
  t0.attributes[$attributes_key_2] AS "k:l", t0.attributes[$attributes_key_3] AS z
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "a:b"
-- $attributes_key_3 = "c."

-- order
-- * | sort by (a:b desc, c. desc) | fields n
SELECT t0.attributes[$attributes_key] AS n, NULLIF(t0.attributes[$attributes_key_2], '') AS c1,
  NULLIF(t0.attributes[$attributes_key_3], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2 DESC, t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "a:b"
-- $attributes_key_3 = "c."

-- the length of a value
-- * | len(a:b) as l: | fields n, l:
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS "a:b", t0.attributes[$attributes_key_2] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a:b"
-- $attributes_key_2 = "n"

-- taken out of a text
-- n:1 | format "k=v1 w" as t | extract "k=<k:v> " from t | fields k:v
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT TRUE AS c0
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_from = "1"
-- $attributes_below = "2"
-- $attributes = "1"

-- written into a text
-- * | format "<a:b>/<c.>" as t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS "a:b", t0.attributes[$attributes_key_2] AS "c.",
  t0.attributes[$attributes_key_3] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a:b"
-- $attributes_key_2 = "c."
-- $attributes_key_3 = "n"

-- options of a text stay options
-- n:1 | format "<uc:b> <uc:a:b> <:uc:d> <uc:uc:d>" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS "a:b", t0.attributes[$attributes_key_2] AS b,
  t0.attributes[$attributes_key_3] AS "uc:d"
FROM logs AS t0
WHERE t0.attributes[$attributes_key_4] >= $attributes_from
  AND t0.attributes[$attributes_key_4] < $attributes_below
  AND lower(t0.attributes[$attributes_key_4]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a:b"
-- $attributes_key_2 = "b"
-- $attributes_key_3 = "uc:d"
-- $attributes_key_4 = "n"
-- $attributes_from = "1"
-- $attributes_below = "2"
-- $attributes = "1"

-- arithmetic
-- * | math c. * 2 + c. as d:e | fields n, d:e
-- above: extend: `add` is no function of its own
SELECT t0.attributes[$attributes_key] AS "c.", t0.attributes[$attributes_key_2] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "c."
-- $attributes_key_2 = "n"

-- buckets stay buckets
-- * | stats by (_time:1d, ip:/8) count() k | sort by (ip)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "ip"

-- a key with a dot at its end, in buckets
-- * | stats by (c.:2) count() k | sort by (c.)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS "c."
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "c."

-- fields of another query
-- * | join by (a:b) (* | stats by ("a:b") max(n) m:n) | fields n, m:n
-- above: join: values of different kinds meet in one field
SELECT t0.attributes[$attributes_key] AS "a:b", t0.attributes[$attributes_key_2] AS "m:n",
  t0.attributes[$attributes_key_3] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a:b"
-- $attributes_key_2 = "m:n"
-- $attributes_key_3 = "n"
SELECT NULLIF(t0.attributes[$attributes_key], '') AS "a:b",
  max(NULLIF(t0.attributes[$attributes_key_2], '')) FILTER (WHERE NOT regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern)) AS c1,
  to_json(list(DISTINCT NULLIF(t0.attributes[$attributes_key_2], '')) FILTER (WHERE regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern))) AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY "a:b";
-- $attributes_key = "a:b"
-- $attributes_key_2 = "n"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- a field of a comparison
-- * | copy a:b as e | filter e:eq_field(a:b) | fields n
-- above: scan: the condition is a function that is not its own
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS "a:b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "a:b"
