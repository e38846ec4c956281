-- days
-- * | stats by (_time:1d) count() n
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $1 time_width = 86400000000000

-- days that start two hours early
-- * | stats by (_time:1d offset 2h) count() n
SELECT ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) + $1::bigint) - ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) + $1::bigint) % $2::bigint + $2::bigint) % $2::bigint) - $1::bigint AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $1 time_shift = 7200000000000
-- $2 time_width = 86400000000000

-- days in a zone that changes its clocks
-- * | stats by (_time:1d zone "Europe/Berlin") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- hours over the change
-- _time:[2026-03-28T22:00:00Z, 2026-03-29T02:00:00Z] | stats by (_time:1h zone "Europe/Berlin") count() n
SELECT CASE WHEN t0.time < ($1::text::timestamptz) THEN $2::bigint WHEN t0.time < ($3::text::timestamptz) THEN $4::bigint WHEN t0.time < ($5::text::timestamptz) THEN $6::bigint WHEN t0.time < ($7::text::timestamptz) THEN $8::bigint ELSE $9::bigint END AS _time,
  count(*) AS n
FROM logs AS t0
WHERE t0.time >= ($10::text::timestamptz)
  AND t0.time < ($11::text::timestamptz)
GROUP BY 1
ORDER BY _time;
-- $1 time_below = "2026-03-28T23:00:00.000000000Z"
-- $2 value = 1774735200000000000
-- $3 time_below_2 = "2026-03-29T00:00:00.000000000Z"
-- $4 value_2 = 1774738800000000000
-- $5 time_below_3 = "2026-03-29T01:00:00.000000000Z"
-- $6 value_3 = 1774742400000000000
-- $7 time_below_4 = "2026-03-29T02:00:00.000000000Z"
-- $8 value_4 = 1774746000000000000
-- $9 value_5 = 1774749600000000000
-- $10 time_from = "2026-03-28T22:00:00.000000000Z"
-- $11 time_below_5 = "2026-03-29T02:00:01.000000000Z"

-- weeks, months, years
-- * | stats by (_time:week) count() n
SELECT ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) + $1::bigint) - ((((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) + $1::bigint) % $2::bigint + $2::bigint) % $2::bigint) - $1::bigint AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $1 time_shift = 259200000000000
-- $2 time_width = 604800000000000

-- months in a zone
-- * | stats by (_time:month zone "America/New_York") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- years
-- * | stats by (_time:year) count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- networks
-- * | stats by (ip:/24) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ip"

-- durations
-- * | stats by (d:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS d
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "d"

-- a day range
-- _time:day_range[22:00, 23:59] | fields _time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint)) >= $2::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint)) <= $3::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_width = 86400000000000
-- $2 time_from = 79200000000000
-- $3 time_to = 86340000000000

-- a day range in a zone
-- _time:day_range[00:00, 03:00) zone "Europe/Berlin" | fields _time
-- above: scan: it writes times in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a week range
-- _time:week_range[Sun, Sun] | fields _time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
WHERE (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint)) >= $2::bigint
  AND (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint)) <= $3::bigint
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_width = 604800000000000
-- $2 time_from = 259200000000000
-- $3 time_to = 345599999999999

-- another key of the same field has its text as its name
-- * | stats by (_time:day, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the same in the other dialect
-- * | stats by (_time:day, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- networks and steps
-- * | stats by (ip:/8, ip:/24, n:10, n, n:10) count() rows | sort by (n, "ip:/24") | fields ip, "ip:/24", n, n:10, rows
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS ip, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ip"
-- $2 attributes_key_2 = "n"

-- with an offset, and a name in quotes
-- * | stats by ("a b":5, "a b":10 offset 1) count() rows | sort by ("a b")
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS "a b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a b"

-- filled
-- n:<20 | stats by (_time:1d, _time:month fill 0) count() rows | sort by (_time) | limit 2
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_to = "20.0000000000000017763568394002504646778106689453125"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- the same key twice is one
-- * | stats by (_time:month, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- weeks of durations
-- * | stats by (took:week) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "took"

-- the same as seven days
-- * | stats by (took:1w) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "took"

-- months are of times alone
-- * | stats by (took:month) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "took"
