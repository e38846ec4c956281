-- Q01 needle word, newest 100
-- zyxquartz | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $5;
-- $1 = "zyxquartz"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])zyxquartz(?:[^0-9A-Za-z_\\x{8…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])zyxquartz(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = 100

-- Q02 common word, newest 100
-- request | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $5;
-- $1 = "request"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = 100

-- Q03 common word, count
-- request | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4));
-- $1 = "request"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q04 two words
-- connection refused | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
  AND contains(lower(t0.content), $5)
  AND (regexp_matches(lower(t0.content), $6) OR regexp_matches(lower(t0.content), $7) AND regexp_matches(lower(t0.content), $8));
-- $1 = "connection"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "refused"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])refused(?:[^0-9A-Za-z_\\x{80}…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])refused(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q05 phrase
-- "connection reset by peer" | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4));
-- $1 = "connection reset by peer"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection reset by peer(?:[^…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])connection reset by peer(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q06 prefix, few frequent words
-- conn* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4));
-- $1 = "conn"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])conn"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])conn"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q07 prefix, many rare words
-- user1234* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4));
-- $1 = "user1234"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user1234"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])user1234"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q08 substring, frequent
-- content:*"nection re"* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1);
-- $1 = "nection re"

-- Q09 substring, rare
-- content:*deadbe* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1);
-- $1 = "deadbe"

-- Q10 regexp with a literal
-- content:~"retry [45] of 5 for call to [a-m]" | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE regexp_matches(t0.content, $1);
-- $1 = "(?s)retry [45] of 5 for call to [a-m]"

-- Q11 regexp without literals
-- content:~"[a-f]{7}[0-9]{2}" | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE regexp_matches(t0.content, $1);
-- $1 = "(?s)[a-f]{7}[0-9]{2}"

-- Q12 field + word, newest 100
-- workload:checkout-api timeout | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.workload >= $1 AND t0.workload < $2 OR t0.workload >= $3 AND t0.workload < $4)
  AND lower(t0.workload) = $5
  AND contains(lower(t0.content), $6)
  AND (regexp_matches(lower(t0.content), $7) OR regexp_matches(lower(t0.content), $8) AND regexp_matches(lower(t0.content), $9))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $10;
-- $1 = "c"
-- $2 = "d"
-- $3 = "C"
-- $4 = "D"
-- $5 = "checkout-api"
-- $6 = "timeout"
-- $7 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $8 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $9 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $10 = 100

-- Q13 repeated field
-- level:error level:warn namespace:payments | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE lower(t0.level) IN ($1, $2)
  AND (t0.namespace >= $3 AND t0.namespace < $4 OR t0.namespace >= $5 AND t0.namespace < $6)
  AND lower(t0.namespace) = $7;
-- $1 = "error"
-- $2 = "warn"
-- $3 = "p"
-- $4 = "q"
-- $5 = "P"
-- $6 = "Q"
-- $7 = "payments"

-- Q14 exclusions + word
-- -level:debug -level:info request | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1
  AND lower(t0.level) IS DISTINCT FROM $2
  AND contains(lower(t0.content), $3)
  AND (regexp_matches(lower(t0.content), $4) OR regexp_matches(lower(t0.content), $5) AND regexp_matches(lower(t0.content), $6));
-- $1 = "debug"
-- $2 = "info"
-- $3 = "request"
-- $4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- $5 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q15 nest
-- (level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE ((t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4) AND lower(t0.level) = $5 OR t0.status = $6)
  AND lower(t0.namespace) IN ($7, $8)
  AND (NOT contains(lower(t0.content), $9) OR NOT regexp_matches(lower(t0.content), $10) AND (NOT regexp_matches(lower(t0.content), $11) OR NOT regexp_matches(lower(t0.content), $12)) OR t0.content IS NULL OR t0.content = '');
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"
-- $6 = 503
-- $7 = "payments"
-- $8 = "discovery"
-- $9 = "retry"
-- $10 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])retry(?:[^0-9A-Za-z_\\x{80}-\…
-- $11 = "(?s)(?:^|[^0-9A-Za-z_])retry(?:[^0-9A-Za-z_]|$)"
-- $12 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q16 five minutes, newest 100
-- level:error namespace:payments | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
  AND (t0.namespace >= $6 AND t0.namespace < $7 OR t0.namespace >= $8 AND t0.namespace < $9)
  AND lower(t0.namespace) = $10
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $11;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"
-- $6 = "p"
-- $7 = "q"
-- $8 = "P"
-- $9 = "Q"
-- $10 = "payments"
-- $11 = 100

-- Q17 top 100 by duration
-- level:error | sort by (duration_ms desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
ORDER BY t0.duration_ms DESC, t0.time DESC, t0.seq DESC
LIMIT $6;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"
-- $6 = 100

-- Q18 deep page
-- namespace:payments | sort by (_time desc) | offset 1000 | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.namespace >= $1 AND t0.namespace < $2 OR t0.namespace >= $3 AND t0.namespace < $4)
  AND lower(t0.namespace) = $5
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $6
OFFSET $7;
-- $1 = "p"
-- $2 = "q"
-- $3 = "P"
-- $4 = "Q"
-- $5 = "payments"
-- $6 = 100
-- $7 = 1000

-- Q19 count of half a day
-- * | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0;

-- Q20 by level
-- * | stats by (level) count() as n
SELECT NULLIF(t0.level, '') AS level, count(*) AS c1
FROM logs AS t0
GROUP BY NULLIF(t0.level, '')
ORDER BY level;

-- Q21 by workload, top 10
-- * | stats by (workload) count() as n | sort by (n desc) | limit 10
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, regexp_matches(NULLIF(t0.workload, ''), $1) AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY c1 DESC, c2 DESC, workload
LIMIT $2;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = 10

-- Q22 count if
-- * | stats by (workload) count() as n, count() if (level:error) as e
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, count(*) FILTER (WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4) AND lower(t0.level) = $5) AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"

-- Q23 avg, exact p50, p99
-- * | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99
SELECT NULLIF(t0.workload, '') AS workload, count(t0.duration_ms) AS c1, sum((t0.duration_ms + $1) - $1) AS c2, fsum(t0.duration_ms - ((t0.duration_ms + $1) - $1)) AS c3, sum(abs(t0.duration_ms)) AS c4, quantile_disc(t0.duration_ms, $2) AS c5, quantile_disc(t0.duration_ms, $3) AS c6
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;
-- $1 = 402653184
-- $2 = 0.50000000001
-- $3 = 0.990000000001

-- Q24 exact distinct
-- * | stats count_uniq(trace_id) as n
SELECT count(DISTINCT t0.trace_id) FILTER (WHERE t0.trace_id <> '') AS c0
FROM logs AS t0;

-- Q25 minutes
-- * | stats by (_time:1m) count() as n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END
ORDER BY _time;
-- $1 = 60000000000

-- Q26 30 k groups, top 100
-- * | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100
SELECT NULLIF(t0.workload, '') AS workload, NULLIF(t0.pod, '') AS pod, t0.status, count(*) AS c3, count(t0.duration_ms) AS c4, sum((t0.duration_ms + $1) - $1) AS c5, fsum(t0.duration_ms - ((t0.duration_ms + $1) - $1)) AS c6, sum(abs(t0.duration_ms)) AS c7, regexp_matches(NULLIF(t0.pod, ''), $2) AS c8, regexp_matches(NULLIF(t0.workload, ''), $3) AS c9
FROM logs AS t0
GROUP BY NULLIF(t0.workload, ''), NULLIF(t0.pod, ''), t0.status
ORDER BY c3 DESC, c8 DESC, pod, t0.status, c9 DESC, workload
LIMIT $4;
-- $1 = 402653184
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $4 = 100

-- Q27 many groups, top 10
-- * | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10
SELECT NULLIF(t0.trace_id, '') AS trace_id, count(*) AS c1, regexp_matches(NULLIF(t0.trace_id, ''), $1) AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.trace_id, '')
ORDER BY c1 DESC, c2 DESC, trace_id
LIMIT $2;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = 10

-- Q28 word over time by level
-- timeout | stats by (_time:1m, level) count() as n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END AS _time, NULLIF(t0.level, '') AS level, count(*) AS c2
FROM logs AS t0
WHERE contains(lower(t0.content), $2)
  AND (regexp_matches(lower(t0.content), $3) OR regexp_matches(lower(t0.content), $4) AND regexp_matches(lower(t0.content), $5))
GROUP BY CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END, NULLIF(t0.level, '')
ORDER BY _time, level;
-- $1 = 60000000000
-- $2 = "timeout"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q29 distinct values
-- * | uniq by (pod)
SELECT NULLIF(t0.pod, '') AS pod
FROM logs AS t0
GROUP BY NULLIF(t0.pod, '')
ORDER BY pod;

-- Q30 JSON text of 10 k rows
-- level:error | sort by (_time desc) | limit 10000
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $6;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"
-- $6 = 10000

-- Q31 trace look-up
-- trace_id:c2f1a9 | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE (t0.trace_id >= $1 AND t0.trace_id < $2 OR t0.trace_id >= $3 AND t0.trace_id < $4)
  AND lower(t0.trace_id) = $5
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $6;
-- $1 = "c2"
-- $2 = "c3"
-- $3 = "C2"
-- $4 = "C3"
-- $5 = "c2f1a9"
-- $6 = 100

-- Q32 ranges
-- duration_ms:>500 status:>=500 | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE t0.duration_ms > $1
  AND NOT isnan(t0.duration_ms)
  AND t0.status >= $2;
-- $1 = 500
-- $2 = 500

-- Q33 one hour, dashboard
-- * | stats by (namespace, level) count() as n, avg(duration_ms) as a
SELECT NULLIF(t0.namespace, '') AS namespace, NULLIF(t0.level, '') AS level, count(*) AS c2, count(t0.duration_ms) AS c3, sum((t0.duration_ms + $1) - $1) AS c4, fsum(t0.duration_ms - ((t0.duration_ms + $1) - $1)) AS c5, sum(abs(t0.duration_ms)) AS c6
FROM logs AS t0
GROUP BY NULLIF(t0.namespace, ''), NULLIF(t0.level, '')
ORDER BY namespace, level;
-- $1 = 402653184
