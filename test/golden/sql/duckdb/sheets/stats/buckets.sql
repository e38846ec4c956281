-- days
-- * | stats by (_time:1d) count() n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END
ORDER BY _time;
-- $1 = 86400000000000

-- days that start two hours early
-- * | stats by (_time:1d offset 2h) count() n
SELECT (CASE WHEN (epoch_ns(t0.time) + $1) >= 0 THEN (epoch_ns(t0.time) + $1) // $2 * $2 ELSE (epoch_ns(t0.time) + $1) - ((epoch_ns(t0.time) + $1) % $2 + $2) % $2 END) - $1 AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY (CASE WHEN (epoch_ns(t0.time) + $1) >= 0 THEN (epoch_ns(t0.time) + $1) // $2 * $2 ELSE (epoch_ns(t0.time) + $1) - ((epoch_ns(t0.time) + $1) % $2 + $2) % $2 END) - $1
ORDER BY _time;
-- $1 = 7200000000000
-- $2 = 86400000000000

-- days in a zone that changes its clocks
-- * | stats by (_time:1d zone "Europe/Berlin") count() n
-- above: aggregate: buckets of a calendar or a zone are said for a range of time
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- hours over the change
-- _time:[2026-03-28T22:00:00Z, 2026-03-29T02:00:00Z] | stats by (_time:1h zone "Europe/Berlin") count() n
SELECT CASE WHEN t0.time < make_timestamp_ns($1) THEN $2 WHEN t0.time < make_timestamp_ns($3) THEN $4 WHEN t0.time < make_timestamp_ns($5) THEN $6 WHEN t0.time < make_timestamp_ns($7) THEN $8 ELSE $9 END AS _time, count(*) AS c1
FROM logs AS t0
WHERE t0.time >= make_timestamp_ns($10)
  AND t0.time < make_timestamp_ns($11)
GROUP BY CASE WHEN t0.time < make_timestamp_ns($1) THEN $2 WHEN t0.time < make_timestamp_ns($3) THEN $4 WHEN t0.time < make_timestamp_ns($5) THEN $6 WHEN t0.time < make_timestamp_ns($7) THEN $8 ELSE $9 END
ORDER BY _time;
-- $1 = 1774738800000000000
-- $2 = 1774735200000000000
-- $3 = 1774742400000000000
-- $4 = 1774738800000000000
-- $5 = 1774746000000000000
-- $6 = 1774742400000000000
-- $7 = 1774749600000000000
-- $8 = 1774746000000000000
-- $9 = 1774749600000000000
-- $10 = 1774735200000000000
-- $11 = 1774749601000000000

-- weeks, months, years
-- * | stats by (_time:week) count() n
SELECT (CASE WHEN (epoch_ns(t0.time) + $1) >= 0 THEN (epoch_ns(t0.time) + $1) // $2 * $2 ELSE (epoch_ns(t0.time) + $1) - ((epoch_ns(t0.time) + $1) % $2 + $2) % $2 END) - $1 AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY (CASE WHEN (epoch_ns(t0.time) + $1) >= 0 THEN (epoch_ns(t0.time) + $1) // $2 * $2 ELSE (epoch_ns(t0.time) + $1) - ((epoch_ns(t0.time) + $1) % $2 + $2) % $2 END) - $1
ORDER BY _time;
-- $1 = 259200000000000
-- $2 = 604800000000000

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
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ip"

-- durations
-- * | stats by (d:1h) count() n
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "d"

-- a day range
-- _time:day_range[22:00, 23:59] | fields _time
-- above: scan: it writes times in another way
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a day range in a zone
-- _time:day_range[00:00, 03:00) zone "Europe/Berlin" | fields _time
-- above: scan: it writes times in another way
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a week range
-- _time:week_range[Sun, Sun] | fields _time
-- above: scan: it writes times in another way
SELECT epoch_ns(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
