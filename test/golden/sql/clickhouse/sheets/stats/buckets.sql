-- days
-- * | stats by (_time:1d) count() n
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {p1:Int64}) AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {p1:Int64})
ORDER BY _time;
-- {p1:Int64} = 86400000000000

-- days that start two hours early
-- * | stats by (_time:1d offset 2h) count() n
SELECT ((toUnixTimestamp64Nano(t0.time) + {p1:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {p1:Int64}), {p2:Int64})) - {p1:Int64} AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY ((toUnixTimestamp64Nano(t0.time) + {p1:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {p1:Int64}), {p2:Int64})) - {p1:Int64}
ORDER BY _time;
-- {p1:Int64} = 7200000000000
-- {p2:Int64} = 86400000000000

-- days in a zone that changes its clocks
-- * | stats by (_time:1d zone "Europe/Berlin") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- hours over the change
-- _time:[2026-03-28T22:00:00Z, 2026-03-29T02:00:00Z] | stats by (_time:1h zone "Europe/Berlin") count() n
SELECT CASE WHEN t0.time < fromUnixTimestamp64Nano({p1:Int64}) THEN {p2:Int64} WHEN t0.time < fromUnixTimestamp64Nano({p3:Int64}) THEN {p4:Int64} WHEN t0.time < fromUnixTimestamp64Nano({p5:Int64}) THEN {p6:Int64} WHEN t0.time < fromUnixTimestamp64Nano({p7:Int64}) THEN {p8:Int64} ELSE {p9:Int64} END AS _time, count(*) AS c1
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({p10:Int64})
  AND t0.time < fromUnixTimestamp64Nano({p11:Int64})
GROUP BY CASE WHEN t0.time < fromUnixTimestamp64Nano({p1:Int64}) THEN {p2:Int64} WHEN t0.time < fromUnixTimestamp64Nano({p3:Int64}) THEN {p4:Int64} WHEN t0.time < fromUnixTimestamp64Nano({p5:Int64}) THEN {p6:Int64} WHEN t0.time < fromUnixTimestamp64Nano({p7:Int64}) THEN {p8:Int64} ELSE {p9:Int64} END
ORDER BY _time;
-- {p1:Int64} = 1774738800000000000
-- {p2:Int64} = 1774735200000000000
-- {p3:Int64} = 1774742400000000000
-- {p4:Int64} = 1774738800000000000
-- {p5:Int64} = 1774746000000000000
-- {p6:Int64} = 1774742400000000000
-- {p7:Int64} = 1774749600000000000
-- {p8:Int64} = 1774746000000000000
-- {p9:Int64} = 1774749600000000000
-- {p10:Int64} = 1774735200000000000
-- {p11:Int64} = 1774749601000000000

-- weeks, months, years
-- * | stats by (_time:week) count() n
SELECT ((toUnixTimestamp64Nano(t0.time) + {p1:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {p1:Int64}), {p2:Int64})) - {p1:Int64} AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY ((toUnixTimestamp64Nano(t0.time) + {p1:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {p1:Int64}), {p2:Int64})) - {p1:Int64}
ORDER BY _time;
-- {p1:Int64} = 259200000000000
-- {p2:Int64} = 604800000000000

-- months in a zone
-- * | stats by (_time:month zone "America/New_York") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- years
-- * | stats by (_time:year) count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- networks
-- * | stats by (ip:/24) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "ip"

-- durations
-- * | stats by (d:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "d"

-- a day range
-- _time:day_range[22:00, 23:59] | fields _time
-- above: scan: it writes times in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a day range in a zone
-- _time:day_range[00:00, 03:00) zone "Europe/Berlin" | fields _time
-- above: scan: it writes times in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a week range
-- _time:week_range[Sun, Sun] | fields _time
-- above: scan: it writes times in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
