-- numbers print as they came
-- * | sort by (_time) | fields v, n, list
SELECT t0.attributes -> $1::text AS v, t0.attributes -> $2::text AS n, t0.attributes -> $3::text AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes_key_2 = "n"
-- $3 attributes_key_3 = "list"

-- equality compares numbers, and texts as texts
-- v:1.1 | sort by (_time) | fields v
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "1.1"
-- $3 attributes_from = "1.09999999999999997779553950749686919152736663818359375"
-- $4 attributes_to = "1.10000000000000019984014443252817727625370025634765625"

-- as another spelling does
-- v:1.10 | sort by (_time) | fields v
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "1.10"
-- $3 attributes_from = "1.09999999999999997779553950749686919152736663818359375"
-- $4 attributes_to = "1.10000000000000019984014443252817727625370025634765625"

-- one of a list of values
-- v:in(2.5, 1.1) | sort by (_time) | fields v
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) IN ($2::text, $3::text) OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($4::text::jsonb) AND (t0.attributes -> $1::text) <= ($5::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($6::text::jsonb) AND (t0.attributes -> $1::text) <= ($7::text::jsonb))
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "2.5"
-- $3 attributes_2 = "1.1"
-- $4 attributes_from = "2.4999999999999997779553950749686919152736663818359375"
-- $5 attributes_to = "2.5000000000000002220446049250313080847263336181640625"
-- $6 attributes_from_2 = "1.09999999999999997779553950749686919152736663818359375"
-- $7 attributes_to_2 = "1.10000000000000019984014443252817727625370025634765625"

-- exactly as a number
-- n:=1000 | sort by (_time) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "1000"
-- $3 attributes_from = "999.99999999999994315658113919198513031005859375"
-- $4 attributes_to = "1000.00000000000005684341886080801486968994140625"

-- in a range
-- v:range(1, 3] | sort by (_time) | fields v
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes_from = "0.999999999999999944488848768742172978818416595458984375"
-- $3 attributes_to = "3.0000000000000002220446049250313080847263336181640625"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- smaller and larger numbers
-- n:<0.5 | sort by (_time) | fields n
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_to = "0.500000000000000055511151231257827021181583404541015625"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- prefixes see the text
-- v:2.5* | sort by (_time) | fields v
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"

-- a pattern sees the text
-- v:~"0$" | sort by (_time) | fields v
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"

-- sums, means and extremes use the number
-- * | stats sum(v) total, avg(n) mean, min(n) least, max(n) most, count_uniq(n) kinds, sum_len(v) length
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "v"

-- two spellings are two groups
-- * | stats by (v) count() hits
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"

-- distinct values
-- * | uniq by (n)
-- above: distinct: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- in order of their numbers
-- * | sort by (n, _time) | fields n
-- above: sort: values of several kinds are ordered by their kind
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- arithmetic gives numbers
-- * | sort by (_time) | math (v + 0) as a, (n * 2) as b | fields a, b
-- above: extend: `add` is no function of its own
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n,
  t0.attributes -> $2::text AS v
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "v"

-- buckets are numbers
-- * | stats by (n:500) count() hits
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- members of a text
-- * | unpack_json from body | filter body:* | fields price, deep.v, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS body, t0.attributes -> $2::text AS "deep.v",
  t0.attributes -> $3::text AS l, t0.attributes -> $4::text AS price
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "body"
-- $2 attributes_key_2 = "deep.v"
-- $3 attributes_key_3 = "l"
-- $4 attributes_key_4 = "price"

-- each item of a list
-- * | sort by (_time) | unroll (list) | fields list
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "list"

-- lists joined and cut
-- * | sort by (_time) | limit 1 | json_array_concat ";" from list as joined | json_array_get 1 from list as second | fields joined, second
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS list
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
LIMIT $2::bigint;
-- $1 attributes_key = "list"
-- $2 limit = 1

-- an item of a list by its text
-- list:json_array_contains_any("1.10", "1E+2") | sort by (_time) | fields list
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS list
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "list"

-- templates print the text
-- * | sort by (_time) | limit 1 | format "<v>/<n>" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n,
  t0.attributes -> $2::text AS v
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
LIMIT $3::bigint;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "v"
-- $3 limit = 1

-- the type of a number does not depend on its spelling
-- n:value_type(uint16) | sort by (_time) | fields n
-- above: scan: the condition is a function that is not its own
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- equality compares texts
-- v:=1.10 | sort by (_time) | fields v
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS v
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"

-- ranges use the number
-- n:>=1000 | sort by (_time) | fields n
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_from = "999.99999999999994315658113919198513031005859375"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"
