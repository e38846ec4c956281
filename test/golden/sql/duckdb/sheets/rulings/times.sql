-- nine digits in the answer
-- n:2 | fields _time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_from = "2"
-- $attributes_below = "3"
-- $attributes = "2"

-- no trailing zeros in the other dialect
-- n:2 | fields _time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
WHERE contains(t0.attributes[$attributes_key], $attributes_part)
  AND (regexp_matches(t0.attributes[$attributes_key], $attributes_pattern) OR regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_part = "2"
-- $attributes_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])2(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- $attributes_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])2(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a whole second
-- _time:2026-01-01T00:00:01Z | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_from = 1767225601000000000
-- $time_below = 1767225602000000000

-- a closed range takes its last second whole
-- _time:[2026-01-01T00:00:01Z, 2026-01-01T00:00:02Z] | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_from = 1767225601000000000
-- $time_below = 1767225603000000000

-- a half-open range
-- _time:[2026-01-01T00:00:00Z, 2026-01-01T00:00:02Z) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_from = 1767225600000000000
-- $time_below = 1767225602000000000

-- without a zone it is UTC
-- _time:2026-01-01T00:00:02 | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_from = 1767225602000000000
-- $time_below = 1767225603000000000

-- the last hour before now
-- _time:1h | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_from = 1767265200000000000
-- $time_below = 1767268800000000000

-- older than an hour
-- _time:>11h30m | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_below = 1767227400000000000

-- an empty range
-- _time:[2026-01-02Z, 2026-01-01Z) | fields n
-- above: values: rows written in the query never touch stored data

-- two ranges are AND
-- _time:>=2026-01-01T00:00:01Z _time:<2026-01-01T00:00:02Z | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_from = 1767225601000000000
-- $time_below = 1767225602000000000

-- comparison without a colon, and an alias
-- timestamp >= 2026-01-01T11:00:00Z | fields n
-- above: scan: texts that are times are read one by one
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS timestamp
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "timestamp"
-- $attributes_pattern = "(?s)^[0-9]{4}-"

-- a time before there are times
-- _time:<1600-01-01Z | fields n
-- above: values: rows written in the query never touch stored data

-- Unix times of records and of format (L39), each unit by its size and exact to the digit
-- * | format "<time:t>" as shown | fields _time, shown
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "t"

-- a range begins with the fraction that is written, and an included end covers all of it
-- _time:[1562529662.678, 1562529663.1] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_from = 1562529662678000000
-- $time_below = 1562529663200000000

-- the same in the other dialect
-- _time:[1562529662.678, 1562529663.1] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_from = 1562529662678000000
-- $time_below = 1562529663200000000

-- ends that are not included
-- _time:(1562529662.678, 1562529664678.5) | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_from = 1562529662678000001
-- $time_below = 1562529664678500000

-- units in one range
-- _time:[1562529664678, 1562529665678901] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_from = 1562529664678000000
-- $time_below = 1562529665678902000

-- one written instant
-- _time:1562529663.12 | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below)
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_from = 1562529663120000000
-- $time_below = 1562529663130000000

-- after an instant
-- _time:>1562529666678901233 | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_from = 1562529666678901234

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
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 86400000000000
-- $time_from = 0
-- $time_to = 86399999999999

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
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE ((epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to OR (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from_2 AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 604800000000000
-- $time_from = 259200000000000
-- $time_to = 604799999999999
-- $time_from_2 = 0
-- $time_to_2 = 259199999999999

-- empty by its brackets: week_range(Sat, Sun)
-- _time:week_range(Sat, Sun) | fields n
-- above: values: rows written in the query never touch stored data

-- day_range[08:00, 08:00]
-- _time:day_range[08:00, 08:00] | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 86400000000000
-- $time_from = 28800000000000
-- $time_to = 28800000000000

-- day_range[22:00, 06:00)
-- _time:day_range[22:00, 06:00) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE ((epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to OR (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from_2 AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 86400000000000
-- $time_from = 79200000000000
-- $time_to = 86399999999999
-- $time_from_2 = 0
-- $time_to_2 = 21599999999999

-- day_range(08:00, 00:00)
-- _time:day_range(08:00, 00:00) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 86400000000000
-- $time_from = 28800000000001
-- $time_to = 86399999999999

-- day_range[08:00, 00:00)
-- _time:day_range[08:00, 00:00) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 86400000000000
-- $time_from = 28800000000000
-- $time_to = 86399999999999

-- day_range[24:00, 06:00)
-- _time:day_range[24:00, 06:00) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 86400000000000
-- $time_from = 0
-- $time_to = 21599999999999

-- week_range[Sat, Sun)
-- _time:week_range[Sat, Sun) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 604800000000000
-- $time_from = 172800000000000
-- $time_to = 259199999999999

-- week_range(Sat, Sun]
-- _time:week_range(Sat, Sun] | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 604800000000000
-- $time_from = 259200000000000
-- $time_to = 345599999999999

-- week_range(Fri, Mon)
-- _time:week_range(Fri, Mon) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE ((epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to OR (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from_2 AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 604800000000000
-- $time_from = 172800000000000
-- $time_to = 259199999999999
-- $time_from_2 = 259200000000000
-- $time_to_2 = 345599999999999

-- week_range[Sat, Mon)
-- _time:week_range[Sat, Mon) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE ((epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to OR (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from_2 AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 604800000000000
-- $time_from = 172800000000000
-- $time_to = 259199999999999
-- $time_from_2 = 259200000000000
-- $time_to_2 = 345599999999999

-- week_range(Sun, Sat)
-- _time:week_range(Sun, Sat) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE ((epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to OR (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from_2 AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $time_width = 604800000000000
-- $time_from = 345600000000000
-- $time_to = 604799999999999
-- $time_from_2 = 0
-- $time_to_2 = 172799999999999

-- day_range[08:00, 08:00) offset 1h or n:1
-- _time:day_range[08:00, 08:00) offset 1h or n:1 | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_from = "1"
-- $attributes_below = "2"
-- $attributes = "1"

-- !_time:week_range(Thu, Fri)
-- !_time:week_range(Thu, Fri) | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"

-- empty by their brackets, in the other dialect
-- _time:day_range[08:00, 08:00) or _time:week_range(Thu, Fri) | fields n
-- above: values: rows written in the query never touch stored data
