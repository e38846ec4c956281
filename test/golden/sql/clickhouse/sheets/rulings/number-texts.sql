-- numbers print as they came
-- * | sort by (_time) | fields v, n, list
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes_key_2:String} = "n"
-- {attributes_key_3:String} = "list"

-- equality compares numbers, and texts as texts
-- v:1.1 | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "1.1"

-- as another spelling does
-- v:1.10 | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "1.10"

-- one of a list of values
-- v:in(2.5, 1.1) | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) IN ({attributes:String}, {attributes_2:String})
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "2.5"
-- {attributes_2:String} = "1.1"

-- exactly as a number
-- n:=1000 | sort by (_time) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.attributes[{attributes_key:String}] = {attributes:String}
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "1000"

-- in a range
-- v:range(1, 3] | sort by (_time) | fields v
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- smaller and larger numbers
-- n:<0.5 | sort by (_time) | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- prefixes see the text
-- v:2.5* | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE startsWith(lower(t0.attributes[{attributes_key:String}]), {attributes_start:String})
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes_start:String} = "2.5"

-- a pattern sees the text
-- v:~"0$" | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes_pattern:String} = "(?s)^.*0$"

-- sums, means and extremes use the number
-- * | stats sum(v) total, avg(n) mean, min(n) least, max(n) most, count_uniq(n) kinds, sum_len(v) length
-- above: aggregate: `sum_len`: it has no such function
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "v"

-- two spellings are two groups
-- * | stats by (v) count() hits
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS v, count(*) AS hits
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY v;
-- {attributes_key:String} = "v"

-- distinct values
-- * | uniq by (n)
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS n
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY n;
-- {attributes_key:String} = "n"

-- in order of their numbers
-- * | sort by (n, _time) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c1, toUnixTimestamp64Nano(t0.time) AS c2,
  t0.seq AS c3
FROM logs AS t0
ORDER BY c1, t0.time, t0.seq DESC;
-- {attributes_key:String} = "n"

-- arithmetic gives numbers
-- * | sort by (_time) | math (v + 0) as a, (n * 2) as b | fields a, b
-- above: extend: `add` is no function of its own
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS v
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "v"

-- buckets are numbers
-- * | stats by (n:500) count() hits
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- members of a text
-- * | unpack_json from body | filter body:* | fields price, deep.v, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS body,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `deep.v`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS l,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS price
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "body"
-- {attributes_key_2:String} = "deep.v"
-- {attributes_key_3:String} = "l"
-- {attributes_key_4:String} = "price"

-- each item of a list
-- * | sort by (_time) | unroll (list) | fields list
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "list"

-- lists joined and cut
-- * | sort by (_time) | limit 1 | json_array_concat ";" from list as joined | json_array_get 1 from list as second | fields joined, second
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "list"
-- {limit:Int64} = 1

-- an item of a list by its text
-- list:json_array_contains_any("1.10", "1E+2") | sort by (_time) | fields list
-- above: scan: `json-array-contains-any` is read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS list
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "list"

-- templates print the text
-- * | sort by (_time) | limit 1 | format "<v>/<n>" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS v
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "v"
-- {limit:Int64} = 1

-- the type of a number does not depend on its spelling
-- n:value_type(uint16) | sort by (_time) | fields n
-- above: scan: the condition is a function that is not its own
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- equality compares texts
-- v:=1.10 | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE t0.attributes[{attributes_key:String}] = {attributes:String}
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "1.10"

-- ranges use the number
-- n:>=1000 | sort by (_time) | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"
