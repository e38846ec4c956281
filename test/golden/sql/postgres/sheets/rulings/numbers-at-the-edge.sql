-- the mean of floats whose sum is infinite
-- * | stats avg(x) mean, stddev(x) spread, sum(x) total, max(x) most
-- above: aggregate: `avg`: its values are of several kinds
SELECT t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- over all rows, on each row
-- * | sort by (_time) | total_stats avg(x) as mean | fields mean | limit 1
-- above: window: `avg`: its values are of several kinds
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "x"

-- the least floats and integers beyond 2^53
-- * | stats avg(y) mean, sum(y) if (y:<1) total, max(y) most
-- above: aggregate: `avg`: its values are of several kinds
SELECT t0.attributes -> $1::text AS y
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "y"

-- a bucket of a float that begins beyond 2^53
-- y:<5 | limit 1 | math (0 - 9007199254740996) as f | bucketize f:2.5 | bucketize f:100 offset 7 | fields f
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS y
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "y"
-- $2 attributes_to = "5.000000000000000444089209850062616169452667236328125"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- texts by code point, half of a surrogate pair too
-- * | sort by (z) | fields z
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.attributes -> $1::text AS z
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "z"
