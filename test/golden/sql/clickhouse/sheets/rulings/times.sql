-- nine digits in the answer
-- n:2 | fields _time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "2"

-- no trailing zeros in the other dialect
-- n:2 | fields _time
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
  AND (length(t0.attributes[{attributes_key:String}]) = lengthUTF8(t0.attributes[{attributes_key:String}]) OR match(t0.attributes[{attributes_key:String}], {attributes_pattern_2:String}) OR match(t0.attributes[{attributes_key:String}], {attributes_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])2(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])2(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- {attributes_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a whole second
-- _time:2026-01-01T00:00:01Z | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_from:Int64} = 1767225601000000000
-- {time_below:Int64} = 1767225602000000000

-- a closed range takes its last second whole
-- _time:[2026-01-01T00:00:01Z, 2026-01-01T00:00:02Z] | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_from:Int64} = 1767225601000000000
-- {time_below:Int64} = 1767225603000000000

-- a half-open range
-- _time:[2026-01-01T00:00:00Z, 2026-01-01T00:00:02Z) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_from:Int64} = 1767225600000000000
-- {time_below:Int64} = 1767225602000000000

-- without a zone it is UTC
-- _time:2026-01-01T00:00:02 | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_from:Int64} = 1767225602000000000
-- {time_below:Int64} = 1767225603000000000

-- the last hour before now
-- _time:1h | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_from:Int64} = 1767265200000000000
-- {time_below:Int64} = 1767268800000000000

-- older than an hour
-- _time:>11h30m | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_below:Int64} = 1767227400000000000

-- an empty range
-- _time:[2026-01-02Z, 2026-01-01Z) | fields n
-- above: values: rows written in the query never touch stored data

-- two ranges are AND
-- _time:>=2026-01-01T00:00:01Z _time:<2026-01-01T00:00:02Z | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_from:Int64} = 1767225601000000000
-- {time_below:Int64} = 1767225602000000000

-- comparison without a colon, and an alias
-- timestamp >= 2026-01-01T11:00:00Z | fields n
-- above: scan: texts that are times are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS timestamp
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "timestamp"
-- {attributes_pattern:String} = "(?s)^[0-9]{4}-"

-- a time before there are times
-- _time:<1600-01-01Z | fields n
-- above: values: rows written in the query never touch stored data

-- Unix times of records and of format (L39), each unit by its size and exact to the digit
-- * | format "<time:t>" as shown | fields _time, shown
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "t"

-- a range begins with the fraction that is written, and an included end covers all of it
-- _time:[1562529662.678, 1562529663.1] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_from:Int64} = 1562529662678000000
-- {time_below:Int64} = 1562529663200000000

-- the same in the other dialect
-- _time:[1562529662.678, 1562529663.1] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_from:Int64} = 1562529662678000000
-- {time_below:Int64} = 1562529663200000000

-- ends that are not included
-- _time:(1562529662.678, 1562529664678.5) | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_from:Int64} = 1562529662678000001
-- {time_below:Int64} = 1562529664678500000

-- units in one range
-- _time:[1562529664678, 1562529665678901] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_from:Int64} = 1562529664678000000
-- {time_below:Int64} = 1562529665678902000

-- one written instant
-- _time:1562529663.12 | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
  AND t0.time < fromUnixTimestamp64Nano({time_below:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_from:Int64} = 1562529663120000000
-- {time_below:Int64} = 1562529663130000000

-- after an instant
-- _time:>1562529666678901233 | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= fromUnixTimestamp64Nano({time_from:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_from:Int64} = 1562529666678901234

-- empty by its brackets: day_range[08:00, 08:00)
-- _time:day_range[08:00, 08:00) | fields n
-- above: values: rows written in the query never touch stored data

-- empty by its brackets: day_range(08:00, 08:00)
-- _time:day_range(08:00, 08:00) | fields n
-- above: values: rows written in the query never touch stored data

-- empty by its brackets: day_range(08:00, 08:00]
-- _time:day_range(08:00, 08:00] | fields n
-- above: values: rows written in the query never touch stored data

-- to the end of the cycle: day_range[00:00, 00:00)
-- _time:day_range[00:00, 00:00) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 0
-- {time_to:Int64} = 86399999999999

-- empty by its brackets: day_range[24:00, 24:00]
-- _time:day_range[24:00, 24:00] | fields n
-- above: values: rows written in the query never touch stored data

-- empty by its brackets: day_range[24:00, 00:00)
-- _time:day_range[24:00, 00:00) | fields n
-- above: values: rows written in the query never touch stored data

-- empty by its brackets: week_range(Thu, Fri)
-- _time:week_range(Thu, Fri) | fields n
-- above: values: rows written in the query never touch stored data

-- empty by its brackets: week_range[Fri, Fri)
-- _time:week_range[Fri, Fri) | fields n
-- above: values: rows written in the query never touch stored data

-- empty by its brackets: week_range(Fri, Fri]
-- _time:week_range(Fri, Fri] | fields n
-- above: values: rows written in the query never touch stored data

-- to the end of the cycle: week_range[Sun, Sun)
-- _time:week_range[Sun, Sun) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE ((toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64} OR (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from_2:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to_2:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 259200000000000
-- {time_to:Int64} = 604799999999999
-- {time_from_2:Int64} = 0
-- {time_to_2:Int64} = 259199999999999

-- empty by its brackets: week_range(Sat, Sun)
-- _time:week_range(Sat, Sun) | fields n
-- above: values: rows written in the query never touch stored data

-- day_range[08:00, 08:00]
-- _time:day_range[08:00, 08:00] | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 28800000000000
-- {time_to:Int64} = 28800000000000

-- day_range[22:00, 06:00)
-- _time:day_range[22:00, 06:00) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE ((toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64} OR (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from_2:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to_2:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 79200000000000
-- {time_to:Int64} = 86399999999999
-- {time_from_2:Int64} = 0
-- {time_to_2:Int64} = 21599999999999

-- day_range(08:00, 00:00)
-- _time:day_range(08:00, 00:00) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 28800000000001
-- {time_to:Int64} = 86399999999999

-- day_range[08:00, 00:00)
-- _time:day_range[08:00, 00:00) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 28800000000000
-- {time_to:Int64} = 86399999999999

-- day_range[24:00, 06:00)
-- _time:day_range[24:00, 06:00) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 86400000000000
-- {time_from:Int64} = 0
-- {time_to:Int64} = 21599999999999

-- week_range[Sat, Sun)
-- _time:week_range[Sat, Sun) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 172800000000000
-- {time_to:Int64} = 259199999999999

-- week_range(Sat, Sun]
-- _time:week_range(Sat, Sun] | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64}
  AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 259200000000000
-- {time_to:Int64} = 345599999999999

-- week_range(Fri, Mon)
-- _time:week_range(Fri, Mon) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE ((toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64} OR (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from_2:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to_2:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 172800000000000
-- {time_to:Int64} = 259199999999999
-- {time_from_2:Int64} = 259200000000000
-- {time_to_2:Int64} = 345599999999999

-- week_range[Sat, Mon)
-- _time:week_range[Sat, Mon) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE ((toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64} OR (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from_2:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to_2:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 172800000000000
-- {time_to:Int64} = 259199999999999
-- {time_from_2:Int64} = 259200000000000
-- {time_to_2:Int64} = 345599999999999

-- week_range(Sun, Sat)
-- _time:week_range(Sun, Sat) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE ((toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to:Int64} OR (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) >= {time_from_2:Int64} AND (toUnixTimestamp64Nano(t0.time) - (toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}))) <= {time_to_2:Int64})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {time_width:Int64} = 604800000000000
-- {time_from:Int64} = 345600000000000
-- {time_to:Int64} = 604799999999999
-- {time_from_2:Int64} = 0
-- {time_to_2:Int64} = 172799999999999

-- day_range[08:00, 08:00) offset 1h or n:1
-- _time:day_range[08:00, 08:00) offset 1h or n:1 | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "1"

-- !_time:week_range(Thu, Fri)
-- !_time:week_range(Thu, Fri) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- empty by their brackets, in the other dialect
-- _time:day_range[08:00, 08:00) or _time:week_range(Thu, Fri) | fields n
-- above: values: rows written in the query never touch stored data
