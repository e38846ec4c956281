-- days
-- * | stats by (_time:1d) count() n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $time_width = 86400000000000

-- days that start two hours early
-- * | stats by (_time:1d offset 2h) count() n
SELECT (CASE WHEN (epoch_ns(t0.time) + $time_shift) >= 0 THEN (epoch_ns(t0.time) + $time_shift) // $time_width * $time_width ELSE (epoch_ns(t0.time) + $time_shift) - ((epoch_ns(t0.time) + $time_shift) % $time_width + $time_width) % $time_width END) - $time_shift AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $time_shift = 7200000000000
-- $time_width = 86400000000000

-- days in a zone that changes its clocks
-- * | stats by (_time:1d zone "Europe/Berlin") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- hours over the change
-- _time:[2026-03-28T22:00:00Z, 2026-03-29T02:00:00Z] | stats by (_time:1h zone "Europe/Berlin") count() n
SELECT CASE WHEN t0.time < make_timestamp_ns($time_below) THEN $value WHEN t0.time < make_timestamp_ns($time_below_2) THEN $value_2 WHEN t0.time < make_timestamp_ns($time_below_3) THEN $value_3 WHEN t0.time < make_timestamp_ns($time_below_4) THEN $value_4 ELSE $value_5 END AS _time,
  count(*) AS n
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($time_from)
  AND t0.time < make_timestamp_ns($time_below_5)
GROUP BY 1
ORDER BY _time;
-- $time_below = 1774738800000000000
-- $value = 1774735200000000000
-- $time_below_2 = 1774742400000000000
-- $value_2 = 1774738800000000000
-- $time_below_3 = 1774746000000000000
-- $value_3 = 1774742400000000000
-- $time_below_4 = 1774749600000000000
-- $value_4 = 1774746000000000000
-- $value_5 = 1774749600000000000
-- $time_from = 1774735200000000000
-- $time_below_5 = 1774749601000000000

-- weeks, months, years
-- * | stats by (_time:week) count() n
SELECT (CASE WHEN (epoch_ns(t0.time) + $time_shift) >= 0 THEN (epoch_ns(t0.time) + $time_shift) // $time_width * $time_width ELSE (epoch_ns(t0.time) + $time_shift) - ((epoch_ns(t0.time) + $time_shift) % $time_width + $time_width) % $time_width END) - $time_shift AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $time_shift = 259200000000000
-- $time_width = 604800000000000

-- months in a zone
-- * | stats by (_time:month zone "America/New_York") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- years
-- * | stats by (_time:year) count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- networks
-- * | stats by (ip:/24) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "ip"

-- durations
-- * | stats by (d:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS d
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "d"

-- a day range
-- _time:day_range[22:00, 23:59] | fields _time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_width = 86400000000000
-- $time_from = 79200000000000
-- $time_to = 86340000000000

-- a day range in a zone
-- _time:day_range[00:00, 03:00) zone "Europe/Berlin" | fields _time
-- above: scan: it writes times in another way
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a week range
-- _time:week_range[Sun, Sun] | fields _time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
WHERE (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) >= $time_from
  AND (epoch_ns(t0.time) - (CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END)) <= $time_to
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_width = 604800000000000
-- $time_from = 259200000000000
-- $time_to = 345599999999999

-- another key of the same field has its text as its name
-- * | stats by (_time:day, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the same in the other dialect
-- * | stats by (_time:day, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- networks and steps
-- * | stats by (ip:/8, ip:/24, n:10, n, n:10) count() rows | sort by (n, "ip:/24") | fields ip, "ip:/24", n, n:10, rows
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS ip, t0.attributes[$attributes_key_2] AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "ip"
-- $attributes_key_2 = "n"

-- with an offset, and a name in quotes
-- * | stats by ("a b":5, "a b":10 offset 1) count() rows | sort by ("a b")
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS "a b"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "a b"

-- filled
-- n:<20 | stats by (_time:1d, _time:month fill 0) count() rows | sort by (_time) | limit 2
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- the same key twice is one
-- * | stats by (_time:month, _time:month) count() rows | sort by (_time)
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- weeks of durations
-- * | stats by (took:week) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "took"

-- the same as seven days
-- * | stats by (took:1w) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "took"

-- months are of times alone
-- * | stats by (took:month) count() rows | sort by (took)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$attributes_key] AS took
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "took"
