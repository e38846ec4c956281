-- an integer, two spellings of its float and a text are four groups
-- * | stats by (x) count() n, min(_time) since
-- above: aggregate: values of several kinds are grouped by their text
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- and four distinct values
-- * | stats count_uniq(x) n, uniq_values(x) kept
-- above: aggregate: `count_uniq`: its values are of several kinds
SELECT t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- as rows of their own
-- * | uniq by (x) with hits
-- above: distinct: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- a bucket makes one class of them (L37)
-- * | stats by (x:1000) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- and no key stands twice in the other dialect
-- * | stats by (x:1000) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- numbers, durations and what a bucket leaves alone
-- * | stats by (m:1s) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "m"

-- a duration less than the bucket is the number nought
-- * | stats by (m:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "m"

-- buckets of networks leave numbers alone, and make one class of them
-- * | stats by (m:/24) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "m"

-- times as texts and times that they print like
-- t:* | stats by (t:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS t
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "t"
