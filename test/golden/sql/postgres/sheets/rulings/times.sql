-- nine digits in the answer
-- n:2 | fields _time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "2"
-- $3 attributes_from = "1.99999999999999988897769753748434595763683319091796875"
-- $4 attributes_to = "2.0000000000000002220446049250313080847263336181640625"

-- no trailing zeros in the other dialect
-- n:2 | fields _time
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- a whole second
-- _time:2026-01-01T00:00:01Z | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time >= ($2::text::timestamptz)
  AND t0.time < ($3::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_from = "2026-01-01T00:00:01.000000000Z"
-- $3 time_below = "2026-01-01T00:00:02.000000000Z"

-- a closed range takes its last second whole
-- _time:[2026-01-01T00:00:01Z, 2026-01-01T00:00:02Z] | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time >= ($2::text::timestamptz)
  AND t0.time < ($3::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_from = "2026-01-01T00:00:01.000000000Z"
-- $3 time_below = "2026-01-01T00:00:03.000000000Z"

-- a half-open range
-- _time:[2026-01-01T00:00:00Z, 2026-01-01T00:00:02Z) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time >= ($2::text::timestamptz)
  AND t0.time < ($3::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_from = "2026-01-01T00:00:00.000000000Z"
-- $3 time_below = "2026-01-01T00:00:02.000000000Z"

-- without a zone it is UTC
-- _time:2026-01-01T00:00:02 | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time >= ($2::text::timestamptz)
  AND t0.time < ($3::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_from = "2026-01-01T00:00:02.000000000Z"
-- $3 time_below = "2026-01-01T00:00:03.000000000Z"

-- the last hour before now
-- _time:1h | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time >= ($2::text::timestamptz)
  AND t0.time < ($3::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_from = "2026-01-01T11:00:00.000000000Z"
-- $3 time_below = "2026-01-01T12:00:00.000000000Z"

-- older than an hour
-- _time:>11h30m | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time < ($2::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_below = "2026-01-01T00:30:00.000000000Z"

-- an empty range
-- _time:[2026-01-02Z, 2026-01-01Z) | fields n
-- above: values: rows written in the query never touch stored data

-- two ranges are AND
-- _time:>=2026-01-01T00:00:01Z _time:<2026-01-01T00:00:02Z | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.time >= ($2::text::timestamptz)
  AND t0.time < ($3::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_from = "2026-01-01T00:00:01.000000000Z"
-- $3 time_below = "2026-01-01T00:00:02.000000000Z"

-- comparison without a colon, and an alias
-- timestamp >= 2026-01-01T11:00:00Z | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS timestamp
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "timestamp"

-- a time before there are times
-- _time:<1600-01-01Z | fields n
-- above: values: rows written in the query never touch stored data

-- Unix times of records and of format (L39), each unit by its size and exact to the digit
-- * | format "<time:t>" as shown | fields _time, shown
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "t"

-- a range begins with the fraction that is written, and an included end covers all of it
-- _time:[1562529662.678, 1562529663.1] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= ($1::text::timestamptz)
  AND t0.time < ($2::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_from = "2019-07-07T20:01:02.678000000Z"
-- $2 time_below = "2019-07-07T20:01:03.200000000Z"

-- the same in the other dialect
-- _time:[1562529662.678, 1562529663.1] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= ($1::text::timestamptz)
  AND t0.time < ($2::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_from = "2019-07-07T20:01:02.678000000Z"
-- $2 time_below = "2019-07-07T20:01:03.200000000Z"

-- ends that are not included
-- _time:(1562529662.678, 1562529664678.5) | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= ($1::text::timestamptz)
  AND t0.time < ($2::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_from = "2019-07-07T20:01:02.678001000Z"
-- $2 time_below = "2019-07-07T20:01:04.678500000Z"

-- units in one range
-- _time:[1562529664678, 1562529665678901] | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= ($1::text::timestamptz)
  AND t0.time < ($2::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_from = "2019-07-07T20:01:04.678000000Z"
-- $2 time_below = "2019-07-07T20:01:05.678902000Z"

-- one written instant
-- _time:1562529663.12 | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= ($1::text::timestamptz)
  AND t0.time < ($2::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_from = "2019-07-07T20:01:03.120000000Z"
-- $2 time_below = "2019-07-07T20:01:03.130000000Z"

-- after an instant
-- _time:>1562529666678901233 | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time >= ($1::text::timestamptz)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_from = "2019-07-07T20:01:06.678902000Z"

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
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 86400000000000
-- $3 time_from = 0
-- $4 time_to = 86399999999999

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
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint OR (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $5::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $6::bigint)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 604800000000000
-- $3 time_from = 259200000000000
-- $4 time_to = 604799999999999
-- $5 time_from_2 = 0
-- $6 time_to_2 = 259199999999999

-- empty by its brackets: week_range(Sat, Sun)
-- _time:week_range(Sat, Sun) | fields n
-- above: values: rows written in the query never touch stored data

-- day_range[08:00, 08:00]
-- _time:day_range[08:00, 08:00] | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 86400000000000
-- $3 time_from = 28800000000000
-- $4 time_to = 28800000000000

-- day_range[22:00, 06:00)
-- _time:day_range[22:00, 06:00) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint OR (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $5::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $6::bigint)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 86400000000000
-- $3 time_from = 79200000000000
-- $4 time_to = 86399999999999
-- $5 time_from_2 = 0
-- $6 time_to_2 = 21599999999999

-- day_range(08:00, 00:00)
-- _time:day_range(08:00, 00:00) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 86400000000000
-- $3 time_from = 28800000000001
-- $4 time_to = 86399999999999

-- day_range[08:00, 00:00)
-- _time:day_range[08:00, 00:00) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 86400000000000
-- $3 time_from = 28800000000000
-- $4 time_to = 86399999999999

-- day_range[24:00, 06:00)
-- _time:day_range[24:00, 06:00) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 86400000000000
-- $3 time_from = 0
-- $4 time_to = 21599999999999

-- week_range[Sat, Sun)
-- _time:week_range[Sat, Sun) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 604800000000000
-- $3 time_from = 172800000000000
-- $4 time_to = 259199999999999

-- week_range(Sat, Sun]
-- _time:week_range(Sat, Sun] | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 604800000000000
-- $3 time_from = 259200000000000
-- $4 time_to = 345599999999999

-- week_range(Fri, Mon)
-- _time:week_range(Fri, Mon) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint OR (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $5::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $6::bigint)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 604800000000000
-- $3 time_from = 172800000000000
-- $4 time_to = 259199999999999
-- $5 time_from_2 = 259200000000000
-- $6 time_to_2 = 345599999999999

-- week_range[Sat, Mon)
-- _time:week_range[Sat, Mon) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint OR (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $5::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $6::bigint)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 604800000000000
-- $3 time_from = 172800000000000
-- $4 time_to = 259199999999999
-- $5 time_from_2 = 259200000000000
-- $6 time_to_2 = 345599999999999

-- week_range(Sun, Sat)
-- _time:week_range(Sun, Sat) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $3::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $4::bigint OR (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) >= $5::bigint AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $2::bigint + $2::bigint) % $2::bigint)) <= $6::bigint)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 time_width = 604800000000000
-- $3 time_from = 345600000000000
-- $4 time_to = 604799999999999
-- $5 time_from_2 = 0
-- $6 time_to_2 = 172799999999999

-- day_range[08:00, 08:00) offset 1h or n:1
-- _time:day_range[08:00, 08:00) offset 1h or n:1 | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "1"
-- $3 attributes_from = "0.999999999999999944488848768742172978818416595458984375"
-- $4 attributes_to = "1.00000000000000011102230246251565404236316680908203125"

-- !_time:week_range(Thu, Fri)
-- !_time:week_range(Thu, Fri) | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- empty by their brackets, in the other dialect
-- _time:day_range[08:00, 08:00) or _time:week_range(Thu, Fri) | fields n
-- above: values: rows written in the query never touch stored data
