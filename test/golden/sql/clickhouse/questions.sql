-- Q01 needle word, newest 100
-- zyxquartz | sort by (_time desc) | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])zyxquartz(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])zyxquartz(?:[^0-9A-Za-z_\\x{8…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {limit:Int64} = 100

-- Q02 common word, newest 100
-- request | sort by (_time desc) | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {limit:Int64} = 100

-- Q03 common word, count
-- request | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}));
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q04 two words
-- connection refused | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
  AND match(lower(t0.content), {content_pattern_4:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_5:String}) OR match(lower(t0.content), {content_pattern_6:String}));
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connect[iİ]on(?:[^0-9A-Za-z_\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])refused(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])refused(?:[^0-9A-Za-z_\\x{80}…
-- {content_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q05 phrase
-- "connection reset by peer" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}));
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on reset by peer(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connect[iİ]on reset by peer(?…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q06 prefix, few frequent words
-- conn* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}));
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])conn"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])conn"
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q07 prefix, many rare words
-- user1234* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}));
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])user1234"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user1234"
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q08 substring, frequent
-- content:*"nection re"* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE position(lower(replaceAll(replaceAll(t0.content, 'İ', 'i'), 'K', 'k')), {content_part:String}) > 0;
-- {content_part:String} = "nection re"

-- Q09 substring, rare
-- content:*deadbe* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE position(lower(t0.content), {content_part:String}) > 0;
-- {content_part:String} = "deadbe"

-- Q10 regexp with a literal
-- content:~"retry [45] of 5 for call to [a-m]" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(t0.content, {content_pattern:String});
-- {content_pattern:String} = "(?s)retry [45] of 5 for call to [a-m]"

-- Q11 regexp without literals
-- content:~"[a-f]{7}[0-9]{2}" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE match(t0.content, {content_pattern:String});
-- {content_pattern:String} = "(?s)[a-f]{7}[0-9]{2}"

-- Q12 field + word, newest 100
-- workload:checkout-api timeout | sort by (_time desc) | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.workload) IN ({workload:String}, {workload_2:String}, {workload_3:String}, {workload_4:String})
  AND match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {workload:String} = "checkout-api"
-- {workload_2:String} = "checkout-apİ"
-- {workload_3:String} = "checKout-api"
-- {workload_4:String} = "checKout-apİ"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])t[iİ]meout(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {limit:Int64} = 100

-- Q13 repeated field
-- level:error level:warn namespace:payments | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE lower(t0.level) IN ({level:String}, {level_2:String})
  AND lower(t0.namespace) = {namespace:String};
-- {level:String} = "error"
-- {level_2:String} = "warn"
-- {namespace:String} = "payments"

-- Q14 exclusions + word
-- -level:debug -level:info request | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM {level:String}
  AND (NOT (lower(t0.level) IN ({level_2:String}, {level_3:String})) OR t0.level IS NULL OR t0.level = '')
  AND match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}));
-- {level:String} = "debug"
-- {level_2:String} = "info"
-- {level_3:String} = "İnfo"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])request(?:[^0-9A-Za-z_\\x{80}…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q15 nest
-- (level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE (lower(t0.level) = {level:String} OR t0.status = {status:Int64})
  AND lower(t0.namespace) IN ({namespace:String}, {namespace_2:String}, {namespace_3:String})
  AND (NOT match(lower(t0.content), {content_pattern:String}) OR NOT (length(t0.content) = lengthUTF8(t0.content)) AND NOT match(lower(t0.content), {content_pattern_2:String}) AND NOT match(lower(t0.content), {content_pattern_3:String}) OR t0.content IS NULL OR t0.content = '');
-- {level:String} = "error"
-- {status:Int64} = 503
-- {namespace:String} = "payments"
-- {namespace_2:String} = "discovery"
-- {namespace_3:String} = "dİscovery"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])retry(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])retry(?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q16 five minutes, newest 100
-- level:error namespace:payments | sort by (_time desc) | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
  AND lower(t0.namespace) = {namespace:String}
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {level:String} = "error"
-- {namespace:String} = "payments"
-- {limit:Int64} = 100

-- Q17 top 100 by duration
-- level:error | sort by (duration_ms desc) | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
ORDER BY isNaN(t0.duration_ms), t0.duration_ms DESC, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {level:String} = "error"
-- {limit:Int64} = 100

-- Q18 deep page
-- namespace:payments | sort by (_time desc) | offset 1000 | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.namespace) = {namespace:String}
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64}
OFFSET {offset:Int64};
-- {namespace:String} = "payments"
-- {limit:Int64} = 100
-- {offset:Int64} = 1000

-- Q19 count of half a day
-- * | stats count() as n
SELECT count(*) AS n
FROM logs AS t0;

-- Q20 by level
-- * | stats by (level) count() as n
SELECT nullIf(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.level, '')
ORDER BY level;

-- Q21 by workload, top 10
-- * | stats by (workload) count() as n | sort by (n desc) | limit 10
SELECT nullIf(t0.workload, '') AS workload, count(*) AS n,
  match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c2
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY n DESC, c2 DESC, workload
LIMIT {limit:Int64};
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 10

-- Q22 count if
-- * | stats by (workload) count() as n, count() if (level:error) as e
SELECT nullIf(t0.workload, '') AS workload, count(*) AS n,
  count(*) FILTER (WHERE lower(t0.level) = {level:String}) AS e
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;
-- {level:String} = "error"

-- Q23 avg, exact p50, p99
-- * | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99
SELECT nullIf(t0.workload, '') AS workload, count(if(isNaN(t0.duration_ms), NULL, t0.duration_ms)) AS c1,
  if(isFinite(sumKahan(if(isNaN(t0.duration_ms), NULL, t0.duration_ms))), sumKahan(if(isNaN(t0.duration_ms), NULL, t0.duration_ms)), sum(if(isNaN(t0.duration_ms), NULL, t0.duration_ms))) AS c2,
  if(countIf(isNaN(t0.duration_ms)) > 0 AND floor({duration_ms_quantile:Float64} * count(t0.duration_ms)) >= count(t0.duration_ms) - countIf(isNaN(t0.duration_ms)), nan, quantileExactOrNull({duration_ms_quantile:Float64})(if(isNaN(t0.duration_ms), inf, t0.duration_ms))) AS p50,
  if(countIf(isNaN(t0.duration_ms)) > 0 AND floor({duration_ms_quantile_2:Float64} * count(t0.duration_ms)) >= count(t0.duration_ms) - countIf(isNaN(t0.duration_ms)), nan, quantileExactOrNull({duration_ms_quantile_2:Float64})(if(isNaN(t0.duration_ms), inf, t0.duration_ms))) AS p99
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;
-- {duration_ms_quantile:Float64} = 0.50000000001
-- {duration_ms_quantile_2:Float64} = 0.990000000001

-- Q24 exact distinct
-- * | stats count_uniq(trace_id) as n
SELECT count(DISTINCT t0.trace_id) FILTER (WHERE t0.trace_id <> '') AS n
FROM logs AS t0;

-- Q25 minutes
-- * | stats by (_time:1m) count() as n
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64})
ORDER BY _time;
-- {time_width:Int64} = 60000000000

-- Q26 30 k groups, top 100
-- * | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100
SELECT nullIf(t0.workload, '') AS workload, nullIf(t0.pod, '') AS pod, t0.status, count(*) AS n,
  count(if(isNaN(t0.duration_ms), NULL, t0.duration_ms)) AS c4,
  if(isFinite(sumKahan(if(isNaN(t0.duration_ms), NULL, t0.duration_ms))), sumKahan(if(isNaN(t0.duration_ms), NULL, t0.duration_ms)), sum(if(isNaN(t0.duration_ms), NULL, t0.duration_ms))) AS c5,
  match(nullIf(t0.pod, ''), {pod_pattern:String}) AS c6,
  match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c7
FROM logs AS t0
GROUP BY nullIf(t0.workload, ''), nullIf(t0.pod, ''), t0.status
ORDER BY n DESC, c6 DESC, pod, t0.status, c7 DESC, workload
LIMIT {limit:Int64};
-- {pod_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 100

-- Q27 many groups, top 10
-- * | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10
SELECT nullIf(t0.trace_id, '') AS trace_id, count(*) AS n,
  match(nullIf(t0.trace_id, ''), {trace_id_pattern:String}) AS c2
FROM logs AS t0
GROUP BY nullIf(t0.trace_id, '')
ORDER BY n DESC, c2 DESC, trace_id
LIMIT {limit:Int64};
-- {trace_id_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 10

-- Q28 word over time by level
-- timeout | stats by (_time:1m, level) count() as n
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS _time,
  nullIf(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}), nullIf(t0.level, '')
ORDER BY _time, level;
-- {time_width:Int64} = 60000000000
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])t[iİ]meout(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- Q29 distinct values
-- * | uniq by (pod)
SELECT nullIf(t0.pod, '') AS pod
FROM logs AS t0
GROUP BY nullIf(t0.pod, '')
ORDER BY pod;

-- Q30 JSON text of 10 k rows
-- level:error | sort by (_time desc) | limit 10000
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {level:String} = "error"
-- {limit:Int64} = 10000

-- Q31 trace look-up
-- trace_id:c2f1a9 | sort by (_time desc) | limit 100
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.trace_id) = {trace_id:String}
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {trace_id:String} = "c2f1a9"
-- {limit:Int64} = 100

-- Q32 ranges
-- duration_ms:>500 status:>=500 | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.duration_ms > {duration_ms_above:Float64}
  AND t0.status >= {status_from:Int64};
-- {duration_ms_above:Float64} = 500
-- {status_from:Int64} = 500

-- Q33 one hour, dashboard
-- * | stats by (namespace, level) count() as n, avg(duration_ms) as a
SELECT nullIf(t0.namespace, '') AS namespace, nullIf(t0.level, '') AS level, count(*) AS n,
  count(if(isNaN(t0.duration_ms), NULL, t0.duration_ms)) AS c3,
  if(isFinite(sumKahan(if(isNaN(t0.duration_ms), NULL, t0.duration_ms))), sumKahan(if(isNaN(t0.duration_ms), NULL, t0.duration_ms)), sum(if(isNaN(t0.duration_ms), NULL, t0.duration_ms))) AS c4
FROM logs AS t0
GROUP BY nullIf(t0.namespace, ''), nullIf(t0.level, '')
ORDER BY namespace, level;
