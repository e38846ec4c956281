-- an integer, two spellings of its float and a text are four groups
-- * | stats by (x) count() n, min(_time) since
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS x, count(*) AS n,
  minOrNull(toUnixTimestamp64Nano(t0.time)) AS since
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY x;
-- {attributes_key:String} = "x"

-- and four distinct values
-- * | stats count_uniq(x) n, uniq_values(x) kept
-- above: aggregate: `uniq_values`: it has no such function
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "x"

-- as rows of their own
-- * | uniq by (x) with hits
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS x, count(*) AS hits
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY x;
-- {attributes_key:String} = "x"

-- a bucket makes one class of them (L37)
-- * | stats by (x:1000) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "x"

-- and no key stands twice in the other dialect
-- * | stats by (x:1000) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "x"

-- numbers, durations and what a bucket leaves alone
-- * | stats by (m:1s) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "m"

-- a duration less than the bucket is the number nought
-- * | stats by (m:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "m"

-- buckets of networks leave numbers alone, and make one class of them
-- * | stats by (m:/24) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS m
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "m"

-- times as texts and times that they print like
-- t:* | stats by (t:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS t
FROM logs AS t0
WHERE t0.attributes[{attributes_key:String}] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "t"
