-- Q01 needle word, newest 100
-- zyxquartz | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $content_part = "zyxquartz"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])zyxquartz(?:[^0-9A-Za-z_\\x{8…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])zyxquartz(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $limit = 100

-- Q02 common word, newest 100
-- request | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $content_part = "request"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $limit = 100

-- Q03 common word, count
-- request | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3));
-- $content_part = "request"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q04 two words
-- connection refused | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
  AND contains(lower(t0.content), $content_part_2)
  AND (regexp_matches(lower(t0.content), $content_pattern_4) OR regexp_matches(lower(t0.content), $content_pattern_5) AND regexp_matches(lower(t0.content), $content_pattern_6));
-- $content_part = "connection"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $content_part_2 = "refused"
-- $content_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])refused(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])refused(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q05 phrase
-- "connection reset by peer" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3));
-- $content_part = "connection reset by peer"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection reset by peer(?:[^…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connection reset by peer(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q06 prefix, few frequent words
-- conn* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3));
-- $content_part = "conn"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])conn"
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])conn"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q07 prefix, many rare words
-- user1234* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3));
-- $content_part = "user1234"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user1234"
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])user1234"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q08 substring, frequent
-- content:*"nection re"* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part);
-- $content_part = "nection re"

-- Q09 substring, rare
-- content:*deadbe* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part);
-- $content_part = "deadbe"

-- Q10 regexp with a literal
-- content:~"retry [45] of 5 for call to [a-m]" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE regexp_matches(t0.content, $content_pattern);
-- $content_pattern = "(?s)retry [45] of 5 for call to [a-m]"

-- Q11 regexp without literals
-- content:~"[a-f]{7}[0-9]{2}" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE regexp_matches(t0.content, $content_pattern);
-- $content_pattern = "(?s)[a-f]{7}[0-9]{2}"

-- Q12 field + word, newest 100
-- workload:checkout-api timeout | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.workload >= $workload_from AND t0.workload < $workload_below OR t0.workload >= $workload_from_2 AND t0.workload < $workload_below_2)
  AND lower(t0.workload) = $workload
  AND contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $workload_from = "c"
-- $workload_below = "d"
-- $workload_from_2 = "C"
-- $workload_below_2 = "D"
-- $workload = "checkout-api"
-- $content_part = "timeout"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $limit = 100

-- Q13 repeated field
-- level:error level:warn namespace:payments | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE lower(t0.level) IN ($level, $level_2)
  AND (t0.namespace >= $namespace_from AND t0.namespace < $namespace_below OR t0.namespace >= $namespace_from_2 AND t0.namespace < $namespace_below_2)
  AND lower(t0.namespace) = $namespace;
-- $level = "error"
-- $level_2 = "warn"
-- $namespace_from = "p"
-- $namespace_below = "q"
-- $namespace_from_2 = "P"
-- $namespace_below_2 = "Q"
-- $namespace = "payments"

-- Q14 exclusions + word
-- -level:debug -level:info request | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $level
  AND lower(t0.level) IS DISTINCT FROM $level_2
  AND contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3));
-- $level = "debug"
-- $level_2 = "info"
-- $content_part = "request"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q15 nest
-- (level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE ((t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2) AND lower(t0.level) = $level OR t0.status = $status)
  AND lower(t0.namespace) IN ($namespace, $namespace_2)
  AND (NOT contains(lower(t0.content), $content_part) OR NOT regexp_matches(lower(t0.content), $content_pattern) AND (NOT regexp_matches(lower(t0.content), $content_pattern_2) OR NOT regexp_matches(lower(t0.content), $content_pattern_3)) OR t0.content IS NULL OR t0.content = '');
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"
-- $status = 503
-- $namespace = "payments"
-- $namespace_2 = "discovery"
-- $content_part = "retry"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])retry(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])retry(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q16 five minutes, newest 100
-- level:error namespace:payments | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
  AND (t0.namespace >= $namespace_from AND t0.namespace < $namespace_below OR t0.namespace >= $namespace_from_2 AND t0.namespace < $namespace_below_2)
  AND lower(t0.namespace) = $namespace
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"
-- $namespace_from = "p"
-- $namespace_below = "q"
-- $namespace_from_2 = "P"
-- $namespace_below_2 = "Q"
-- $namespace = "payments"
-- $limit = 100

-- Q17 top 100 by duration
-- level:error | sort by (duration_ms desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
ORDER BY isnan(t0.duration_ms), t0.duration_ms DESC, t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"
-- $limit = 100

-- Q18 deep page
-- namespace:payments | sort by (_time desc) | offset 1000 | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.namespace >= $namespace_from AND t0.namespace < $namespace_below OR t0.namespace >= $namespace_from_2 AND t0.namespace < $namespace_below_2)
  AND lower(t0.namespace) = $namespace
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit
OFFSET $offset;
-- $namespace_from = "p"
-- $namespace_below = "q"
-- $namespace_from_2 = "P"
-- $namespace_below_2 = "Q"
-- $namespace = "payments"
-- $limit = 100
-- $offset = 1000

-- Q19 count of half a day
-- * | stats count() as n
SELECT count(*) AS n
FROM logs AS t0;

-- Q20 by level
-- * | stats by (level) count() as n
SELECT NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY level;

-- Q21 by workload, top 10
-- * | stats by (workload) count() as n | sort by (n desc) | limit 10
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n,
  regexp_matches(NULLIF(t0.workload, ''), $workload_pattern) AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY n DESC, c2 DESC, workload
LIMIT $limit;
-- $workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 10

-- Q22 count if
-- * | stats by (workload) count() as n, count() if (level:error) as e
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n,
  count(*) FILTER (WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2) AND lower(t0.level) = $level) AS e
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"

-- Q23 avg, exact p50, p99
-- * | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99
SELECT NULLIF(t0.workload, '') AS workload, count(nullif(t0.duration_ms, 'nan'::DOUBLE)) AS c1,
  CASE WHEN isfinite(fsum(nullif(t0.duration_ms, 'nan'::DOUBLE))) THEN fsum(nullif(t0.duration_ms, 'nan'::DOUBLE)) ELSE sum(nullif(t0.duration_ms, 'nan'::DOUBLE)) END AS c2,
  quantile_disc(t0.duration_ms, $duration_ms_quantile) AS p50,
  quantile_disc(t0.duration_ms, $duration_ms_quantile_2) AS p99
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
-- $duration_ms_quantile = 0.50000000001
-- $duration_ms_quantile_2 = 0.990000000001

-- Q24 exact distinct
-- * | stats count_uniq(trace_id) as n
SELECT count(DISTINCT t0.trace_id) FILTER (WHERE t0.trace_id <> '') AS n
FROM logs AS t0;

-- Q25 minutes
-- * | stats by (_time:1m) count() as n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $time_width = 60000000000

-- Q26 30 k groups, top 100
-- * | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100
SELECT NULLIF(t0.workload, '') AS workload, NULLIF(t0.pod, '') AS pod, t0.status, count(*) AS n,
  count(nullif(t0.duration_ms, 'nan'::DOUBLE)) AS c4,
  CASE WHEN isfinite(fsum(nullif(t0.duration_ms, 'nan'::DOUBLE))) THEN fsum(nullif(t0.duration_ms, 'nan'::DOUBLE)) ELSE sum(nullif(t0.duration_ms, 'nan'::DOUBLE)) END AS c5,
  regexp_matches(NULLIF(t0.pod, ''), $pod_pattern) AS c6,
  regexp_matches(NULLIF(t0.workload, ''), $workload_pattern) AS c7
FROM logs AS t0
GROUP BY 1, 2, t0.status
ORDER BY n DESC, c6 DESC, pod, t0.status, c7 DESC, workload
LIMIT $limit;
-- $pod_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 100

-- Q27 many groups, top 10
-- * | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10
SELECT NULLIF(t0.trace_id, '') AS trace_id, count(*) AS n,
  regexp_matches(NULLIF(t0.trace_id, ''), $trace_id_pattern) AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY n DESC, c2 DESC, trace_id
LIMIT $limit;
-- $trace_id_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 10

-- Q28 word over time by level
-- timeout | stats by (_time:1m, level) count() as n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $time_width * $time_width ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $time_width + $time_width) % $time_width END AS _time,
  NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
GROUP BY 1, 2
ORDER BY _time, level;
-- $time_width = 60000000000
-- $content_part = "timeout"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q29 distinct values
-- * | uniq by (pod)
SELECT NULLIF(t0.pod, '') AS pod
FROM logs AS t0
GROUP BY 1
ORDER BY pod;

-- Q30 JSON text of 10 k rows
-- level:error | sort by (_time desc) | limit 10000
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"
-- $limit = 10000

-- Q31 trace look-up
-- trace_id:c2f1a9 | sort by (_time desc) | limit 100
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.trace_id >= $trace_id_from AND t0.trace_id < $trace_id_below OR t0.trace_id >= $trace_id_from_2 AND t0.trace_id < $trace_id_below_2)
  AND lower(t0.trace_id) = $trace_id
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $trace_id_from = "c2"
-- $trace_id_below = "c3"
-- $trace_id_from_2 = "C2"
-- $trace_id_below_2 = "C3"
-- $trace_id = "c2f1a9"
-- $limit = 100

-- Q32 ranges
-- duration_ms:>500 status:>=500 | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.duration_ms > $duration_ms_above
  AND NOT isnan(t0.duration_ms)
  AND t0.status >= $status_from;
-- $duration_ms_above = 500
-- $status_from = 500

-- Q33 one hour, dashboard
-- * | stats by (namespace, level) count() as n, avg(duration_ms) as a
SELECT NULLIF(t0.namespace, '') AS namespace, NULLIF(t0.level, '') AS level, count(*) AS n,
  count(nullif(t0.duration_ms, 'nan'::DOUBLE)) AS c3,
  CASE WHEN isfinite(fsum(nullif(t0.duration_ms, 'nan'::DOUBLE))) THEN fsum(nullif(t0.duration_ms, 'nan'::DOUBLE)) ELSE sum(nullif(t0.duration_ms, 'nan'::DOUBLE)) END AS c4
FROM logs AS t0
GROUP BY 1, 2
ORDER BY namespace, level;
