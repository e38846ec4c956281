-- the mean of floats whose sum is infinite
-- * | stats avg(x) mean, stddev(x) spread, sum(x) total, max(x) most
-- above: aggregate: `stddev`: it has no such function
SELECT t0.attributes[$attributes_key] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "x"

-- over all rows, on each row
-- * | sort by (_time) | total_stats avg(x) as mean | fields mean | limit 1
-- above: window: `avg`: numbers are looked for in its values one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS x
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "x"

-- the least floats and integers beyond 2^53
-- * | stats avg(y) mean, sum(y) if (y:<1) total, max(y) most
-- above: aggregate: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS y
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "y"

-- a bucket of a float that begins beyond 2^53
-- y:<5 | limit 1 | math (0 - 9007199254740996) as f | bucketize f:2.5 | bucketize f:100 offset 7 | fields f
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS y
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "y"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- texts by code point, half of a surrogate pair too
-- * | sort by (z) | fields z
SELECT t0.attributes[$attributes_key] AS z, NULLIF(t0.attributes[$attributes_key], '') AS c1,
  epoch_ns(t0.time) AS c2, t0.seq AS c3
FROM logs AS t0
ORDER BY c1, t0.time DESC, t0.seq DESC;
-- $attributes_key = "z"
