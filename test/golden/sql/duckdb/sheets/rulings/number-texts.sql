-- numbers print as they came
-- * | sort by (_time) | fields v, n, list
SELECT t0.attributes[$attributes_key] AS v, t0.attributes[$attributes_key_2] AS n,
  t0.attributes[$attributes_key_3] AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_key_2 = "n"
-- $attributes_key_3 = "list"

-- equality compares numbers, and texts as texts
-- v:1.1 | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_from = "1.1"
-- $attributes_below = "1.2"
-- $attributes = "1.1"

-- as another spelling does
-- v:1.10 | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_from = "1.10"
-- $attributes_below = "1.11"
-- $attributes = "1.10"

-- one of a list of values
-- v:in(2.5, 1.1) | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE lower(t0.attributes[$attributes_key]) IN ($attributes, $attributes_2)
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes = "2.5"
-- $attributes_2 = "1.1"

-- exactly as a number
-- n:=1000 | sort by (_time) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.attributes[$attributes_key] = $attributes
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes = "1000"

-- in a range
-- v:range(1, 3] | sort by (_time) | fields v
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- smaller and larger numbers
-- n:<0.5 | sort by (_time) | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- prefixes see the text
-- v:2.5* | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE starts_with(lower(t0.attributes[$attributes_key]), $attributes_start)
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_start = "2.5"

-- a pattern sees the text
-- v:~"0$" | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_pattern = "(?s)^.*0$"

-- sums, means and extremes use the number
-- * | stats sum(v) total, avg(n) mean, min(n) least, max(n) most, count_uniq(n) kinds, sum_len(v) length
-- above: aggregate: `sum_len`: it has no such function
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "v"

-- two spellings are two groups
-- * | stats by (v) count() hits
SELECT NULLIF(t0.attributes[$attributes_key], '') AS v, count(*) AS hits
FROM logs AS t0
GROUP BY 1
ORDER BY v;
-- $attributes_key = "v"

-- distinct values
-- * | uniq by (n)
SELECT NULLIF(t0.attributes[$attributes_key], '') AS n
FROM logs AS t0
GROUP BY 1
ORDER BY n;
-- $attributes_key = "n"

-- in order of their numbers
-- * | sort by (n, _time) | fields n
SELECT t0.attributes[$attributes_key] AS n, NULLIF(t0.attributes[$attributes_key], '') AS c1,
  epoch_ns(t0.time) AS c2, t0.seq AS c3
FROM logs AS t0
ORDER BY c1, t0.time, t0.seq DESC;
-- $attributes_key = "n"

-- arithmetic gives numbers
-- * | sort by (_time) | math (v + 0) as a, (n * 2) as b | fields a, b
-- above: extend: `add` is no function of its own
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS n,
  t0.attributes[$attributes_key_2] AS v
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "v"

-- buckets are numbers
-- * | stats by (n:500) count() hits
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"

-- members of a text
-- * | unpack_json from body | filter body:* | fields price, deep.v, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS body, t0.attributes[$attributes_key_2] AS "deep.v",
  t0.attributes[$attributes_key_3] AS l, t0.attributes[$attributes_key_4] AS price
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "body"
-- $attributes_key_2 = "deep.v"
-- $attributes_key_3 = "l"
-- $attributes_key_4 = "price"

-- each item of a list
-- * | sort by (_time) | unroll (list) | fields list
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "list"

-- lists joined and cut
-- * | sort by (_time) | limit 1 | json_array_concat ";" from list as joined | json_array_get 1 from list as second | fields joined, second
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "list"
-- $limit = 1

-- an item of a list by its text
-- list:json_array_contains_any("1.10", "1E+2") | sort by (_time) | fields list
-- above: scan: `json-array-contains-any` is read one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS list
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "list"

-- templates print the text
-- * | sort by (_time) | limit 1 | format "<v>/<n>" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS n,
  t0.attributes[$attributes_key_2] AS v
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "n"
-- $attributes_key_2 = "v"
-- $limit = 1

-- the type of a number does not depend on its spelling
-- n:value_type(uint16) | sort by (_time) | fields n
-- above: scan: the condition is a function that is not its own
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"

-- equality compares texts
-- v:=1.10 | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] = $attributes
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes = "1.10"

-- ranges use the number
-- n:>=1000 | sort by (_time) | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"
