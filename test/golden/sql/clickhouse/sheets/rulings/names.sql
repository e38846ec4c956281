-- a list of fields
-- * | fields n, a:b, c.
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `a:b`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS `c.`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "a:b"
-- {attributes_key_3:String} = "c."

-- a list of fields in the other dialect
-- * | fields n, a:b, c.
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `a:b`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS `c.`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "a:b"
-- {attributes_key_3:String} = "c."

-- by pattern
-- * | fields a:*, n | delete n
-- above: project: undeclared fields chosen by a pattern are only known row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- arguments of functions
-- * | stats sum(c.) s, count_uniq(a:b) as u:v
SELECT count(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})) AS c0,
  toString(sum(toInt128(toInt64OrNull(t0.attributes[{attributes_key:String}]))) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c1,
  toJSONString(groupArray(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_2:String}) AND NOT match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c2,
  count(DISTINCT if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL)) FILTER (WHERE if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) <> '') AS `u:v`
FROM logs AS t0;
-- {attributes_key:String} = "c."
-- {attributes_pattern:String} = "^(?:0|-?[1-9][0-9]{0,17})$"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_key_2:String} = "a:b"

-- keys
-- * | uniq by (a:b) | sort by (a:b desc)
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS `a:b`
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY `a:b` DESC;
-- {attributes_key:String} = "a:b"

-- other names
-- * | rename a:b as x:y, c. z | copy x:y k:l | fields n, x:y, k:l, z
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `x:y`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `k:l`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS z
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "a:b"
-- {attributes_key_3:String} = "c."

-- order
-- * | sort by (a:b desc, c. desc) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  nullIf(t0.attributes[{attributes_key_2:String}], '') AS c1,
  nullIf(t0.attributes[{attributes_key_3:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2 DESC, t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "a:b"
-- {attributes_key_3:String} = "c."

-- the length of a value
-- * | len(a:b) as l: | fields n, l:
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `a:b`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a:b"
-- {attributes_key_2:String} = "n"

-- taken out of a text
-- n:1 | format "k=v1 w" as t | extract "k=<k:v> " from t | fields k:v
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT true AS c0
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "1"

-- written into a text
-- * | format "<a:b>/<c.>" as t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `a:b`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `c.`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a:b"
-- {attributes_key_2:String} = "c."
-- {attributes_key_3:String} = "n"

-- options of a text stay options
-- n:1 | format "<uc:b> <uc:a:b> <:uc:d> <uc:uc:d>" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `a:b`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS b,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS `uc:d`
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key_4:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a:b"
-- {attributes_key_2:String} = "b"
-- {attributes_key_3:String} = "uc:d"
-- {attributes_key_4:String} = "n"
-- {attributes:String} = "1"

-- arithmetic
-- * | math c. * 2 + c. as d:e | fields n, d:e
-- above: extend: `add` is no function of its own
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `c.`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "c."
-- {attributes_key_2:String} = "n"

-- buckets stay buckets
-- * | stats by (_time:1d, ip:/8) count() k | sort by (ip)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ip"

-- a key with a dot at its end, in buckets
-- * | stats by (c.:2) count() k | sort by (c.)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `c.`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "c."

-- fields of another query
-- * | join by (a:b) (* | stats by ("a:b") max(n) m:n) | fields n, m:n
-- above: join: values of different kinds meet in one field
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `a:b`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `m:n`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a:b"
-- {attributes_key_2:String} = "m:n"
-- {attributes_key_3:String} = "n"
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS `a:b`,
  maxOrNull(nullIf(t0.attributes[{attributes_key_2:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern:String})) AS c1,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key_2:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern:String}))) AS c2
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY `a:b`;
-- {attributes_key:String} = "a:b"
-- {attributes_key_2:String} = "n"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- a field of a comparison
-- * | copy a:b as e | filter e:eq_field(a:b) | fields n
-- above: scan: the condition is a function that is not its own
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `a:b`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "a:b"
