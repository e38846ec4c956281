-- an integer, two spellings of its float and a text are four groups
-- * | stats by (x) count() n, min(_time) since
SELECT NULLIF(t0.attributes[$attributes_key], '') AS x, count(*) AS n, min(epoch_ns(t0.time)) AS since
FROM logs AS t0
GROUP BY 1
ORDER BY x;
-- $attributes_key = "x"

-- and four distinct values
-- * | stats count_uniq(x) n, uniq_values(x) kept
-- above: aggregate: `uniq_values`: it has no such function
SELECT t0.attributes[$attributes_key] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "x"

-- as rows of their own
-- * | uniq by (x) with hits
SELECT NULLIF(t0.attributes[$attributes_key], '') AS x, count(*) AS hits
FROM logs AS t0
GROUP BY 1
ORDER BY x;
-- $attributes_key = "x"

-- a bucket makes one class of them (L37)
-- * | stats by (x:1000) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "x"

-- and no key stands twice in the other dialect
-- * | stats by (x:1000) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "x"

-- numbers, durations and what a bucket leaves alone
-- * | stats by (m:1s) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "m"

-- a duration less than the bucket is the number nought
-- * | stats by (m:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "m"

-- buckets of networks leave numbers alone, and make one class of them
-- * | stats by (m:/24) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "m"

-- times as texts and times that they print like
-- t:* | stats by (t:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS t
FROM logs AS t0
WHERE t0.attributes[$attributes_key] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "t"
