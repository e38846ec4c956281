-- days
-- * | stats by (_time:1d) count() n
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64})
ORDER BY _time;
-- {time_width:Int64} = 86400000000000

-- days that start two hours early
-- * | stats by (_time:1d offset 2h) count() n
SELECT ((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}), {time_width:Int64})) - {time_shift:Int64} AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY ((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}), {time_width:Int64})) - {time_shift:Int64}
ORDER BY _time;
-- {time_shift:Int64} = 7200000000000
-- {time_width:Int64} = 86400000000000

-- days in a zone that changes its clocks
-- * | stats by (_time:1d zone "Europe/Berlin") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- hours over the change
-- _time:[2026-03-28T22:00:00Z, 2026-03-29T02:00:00Z] | stats by (_time:1h zone "Europe/Berlin") count() n
SELECT CASE WHEN t0.time < fromUnixTimestamp64Nano({time_below:Int64}) THEN {value:Int64} WHEN t0.time < fromUnixTimestamp64Nano({time_below_2:Int64}) THEN {value_2:Int64} WHEN t0.time < fromUnixTimestamp64Nano({time_below_3:Int64}) THEN {value_3:Int64} WHEN t0.time < fromUnixTimestamp64Nano({time_below_4:Int64}) THEN {value_4:Int64} ELSE {value_5:Int64} END AS _time,
  count(*) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below_5:Int64})
GROUP BY CASE WHEN t0.time < fromUnixTimestamp64Nano({time_below:Int64}) THEN {value:Int64} WHEN t0.time < fromUnixTimestamp64Nano({time_below_2:Int64}) THEN {value_2:Int64} WHEN t0.time < fromUnixTimestamp64Nano({time_below_3:Int64}) THEN {value_3:Int64} WHEN t0.time < fromUnixTimestamp64Nano({time_below_4:Int64}) THEN {value_4:Int64} ELSE {value_5:Int64} END
ORDER BY _time;
-- {time_below:Int64} = 1774738800000000000
-- {value:Int64} = 1774735200000000000
-- {time_below_2:Int64} = 1774742400000000000
-- {value_2:Int64} = 1774738800000000000
-- {time_below_3:Int64} = 1774746000000000000
-- {value_3:Int64} = 1774742400000000000
-- {time_below_4:Int64} = 1774749600000000000
-- {value_4:Int64} = 1774746000000000000
-- {value_5:Int64} = 1774749600000000000
-- {time_from:Int64} = 1774735200000000000
-- {time_below_5:Int64} = 1774749601000000000

-- weeks, months, years
-- * | stats by (_time:week) count() n
SELECT ((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}), {time_width:Int64})) - {time_shift:Int64} AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY ((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}) - positiveModulo((toUnixTimestamp64Nano(t0.time) + {time_shift:Int64}), {time_width:Int64})) - {time_shift:Int64}
ORDER BY _time;
-- {time_shift:Int64} = 259200000000000
-- {time_width:Int64} = 604800000000000

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
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ip"

-- durations
-- * | stats by (d:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS d
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "d"

-- a day range
-- _time:day_range[22:00, 23:59] | fields _time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 79200000000000
-- {time_to:Int64} = 86340000000000

-- a day range in a zone
-- _time:day_range[00:00, 03:00) zone "Europe/Berlin" | fields _time
-- above: scan: it writes times in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a week range
-- _time:week_range[Sun, Sun] | fields _time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 259200000000000
-- {time_to:Int64} = 345599999999999

-- another key of the same field has its text as its name
-- * | stats by (_time:day, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the same in the other dialect
-- * | stats by (_time:day, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- networks and steps
-- * | stats by (ip:/8, ip:/24, n:10, n, n:10) count() rows | sort by (n, "ip:/24") | fields ip, "ip:/24", n, n:10, rows
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ip,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ip"
-- {attributes_key_2:String} = "n"

-- with an offset, and a name in quotes
-- * | stats by ("a b":5, "a b":10 offset 1) count() rows | sort by ("a b")
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `a b`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a b"

-- filled
-- n:<20 | stats by (_time:1d, _time:month fill 0) count() rows | sort by (_time) | limit 2
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- the same key twice is one
-- * | stats by (_time:month, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- weeks of durations
-- * | stats by (took:week) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "took"

-- the same as seven days
-- * | stats by (took:1w) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "took"

-- months are of times alone
-- * | stats by (took:month) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "took"
