-- the mean of floats whose sum is infinite
-- * | stats avg(x) mean, stddev(x) spread, sum(x) total, max(x) most
-- above: aggregate: `stddev`: it has no such function
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "x"

-- over all rows, on each row
-- * | sort by (_time) | total_stats avg(x) as mean | fields mean | limit 1
-- above: window: `avg`: numbers are looked for in its values one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "x"

-- the least floats and integers beyond 2^53
-- * | stats avg(y) mean, sum(y) if (y:<1) total, max(y) most
-- above: aggregate: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS y
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "y"

-- a bucket of a float that begins beyond 2^53
-- y:<5 | limit 1 | math (0 - 9007199254740996) as f | bucketize f:2.5 | bucketize f:100 offset 7 | fields f
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS y
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "y"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- texts by code point, half of a surrogate pair too
-- * | sort by (z) | fields z
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS z,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c1, toUnixTimestamp64Nano(t0.time) AS c2,
  t0.seq AS c3
FROM logs AS t0
ORDER BY c1, t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "z"
