-- Q01 needle word, newest 100
-- zyxquartz | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1::text = "zyxquartz"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::bigint = 100

-- Q02 common word, newest 100
-- request | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1::text = "request"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::bigint = 100

-- Q03 common word, count
-- request | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text);
-- $1::text = "request"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q04 two words
-- connection refused | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
  AND (position($3::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $4::text);
-- $1::text = "connection"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "refused"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q05 phrase
-- "connection reset by peer" | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text);
-- $1::text = "connection reset by peer"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q06 prefix, few frequent words
-- conn* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text);
-- $1::text = "conn"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q07 prefix, many rare words
-- user1234* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text);
-- $1::text = "user1234"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q08 substring, frequent
-- content:*"nection re"* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0);
-- $1::text = "nection re"

-- Q09 substring, rare
-- content:*deadbe* | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0);
-- $1::text = "deadbe"

-- Q10 regexp with a literal
-- content:~"retry [45] of 5 for call to [a-m]" | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (t0.content ~ $1::text);
-- $1::text = "retry\\u0020[45]\\u0020of\\u00205\\u0020for\\u0020call\\u0020to\\u0020[…

-- Q11 regexp without literals
-- content:~"[a-f]{7}[0-9]{2}" | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (t0.content ~ $1::text);
-- $1::text = "[a-f]{7}[0-9]{2}"

-- Q12 field + word, newest 100
-- workload:checkout-api timeout | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.workload) IN ($1::text, $2::text, $3::text, $4::text)
  AND (position($5::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $6::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $7::bigint;
-- $1::text = "checkout-api"
-- $2::text = "checkout-apİ"
-- $3::text = "checKout-api"
-- $4::text = "checKout-apİ"
-- $5::text = "timeout"
-- $6::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $7::bigint = 100

-- Q13 repeated field
-- level:error level:warn namespace:payments | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE lower(t0.level) IN ($1::text, $2::text)
  AND lower(t0.namespace) = $3::text;
-- $1::text = "error"
-- $2::text = "warn"
-- $3::text = "payments"

-- Q14 exclusions + word
-- -level:debug -level:info request | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1::text
  AND (NOT (lower(t0.level) IN ($2::text, $3::text)) OR t0.level IS NULL OR t0.level = '')
  AND (position($4::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $5::text);
-- $1::text = "debug"
-- $2::text = "info"
-- $3::text = "İnfo"
-- $4::text = "request"
-- $5::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q15 nest
-- (level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE (lower(t0.level) = $1::text OR t0.status = $2::bigint)
  AND lower(t0.namespace) IN ($3::text, $4::text, $5::text)
  AND (NOT (position($6::text IN lower(t0.content)) > 0) OR NOT (lower(t0.content) ~ $7::text) OR t0.content IS NULL OR t0.content = '');
-- $1::text = "error"
-- $2::bigint = 503
-- $3::text = "payments"
-- $4::text = "discovery"
-- $5::text = "dİscovery"
-- $6::text = "retry"
-- $7::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q16 five minutes, newest 100
-- level:error namespace:payments | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.level) = $1::text
  AND lower(t0.namespace) = $2::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1::text = "error"
-- $2::text = "payments"
-- $3::bigint = 100

-- Q17 top 100 by duration
-- level:error | sort by (duration_ms desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.level) = $1::text
ORDER BY t0.duration_ms DESC NULLS LAST, t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1::text = "error"
-- $2::bigint = 100

-- Q18 deep page
-- namespace:payments | sort by (_time desc) | offset 1000 | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.namespace) = $1::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint
OFFSET $3::bigint;
-- $1::text = "payments"
-- $2::bigint = 100
-- $3::bigint = 1000

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
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, NULLIF(t0.workload, '') ~ $1::text AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY c1 DESC, c2 DESC NULLS LAST, workload
LIMIT $2::bigint;
-- $1::text = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2::bigint = 10

-- Q22 count if
-- * | stats by (workload) count() as n, count() if (level:error) as e
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, count(*) FILTER (WHERE lower(t0.level) = $1::text) AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;
-- $1::text = "error"

-- Q23 avg, exact p50, p99
-- * | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99
SELECT NULLIF(t0.workload, '') AS workload, count(t0.duration_ms) AS c1, sum(trunc(t0.duration_ms)::bigint) FILTER (WHERE abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904))::text COLLATE "C" AS c2, sum(((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904)::bigint) FILTER (WHERE abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904))::text COLLATE "C" AS c3, json_agg(t0.duration_ms) FILTER (WHERE NOT (abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904)))::text AS c4, percentile_disc($1::float8) WITHIN GROUP (ORDER BY t0.duration_ms) AS c5, percentile_disc($2::float8) WITHIN GROUP (ORDER BY t0.duration_ms) AS c6
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;
-- $1::float8 = 0.50000000001
-- $2::float8 = 0.990000000001

-- Q24 exact distinct
-- * | stats count_uniq(trace_id) as n
SELECT count(DISTINCT t0.trace_id) FILTER (WHERE t0.trace_id <> '') AS c0
FROM logs AS t0;

-- Q25 minutes
-- * | stats by (_time:1m) count() as n
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint
ORDER BY _time;
-- $1::bigint = 60000000000

-- Q26 30 k groups, top 100
-- * | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100
SELECT NULLIF(t0.workload, '') AS workload, NULLIF(t0.pod, '') AS pod, t0.status, count(*) AS c3, count(t0.duration_ms) AS c4, sum(trunc(t0.duration_ms)::bigint) FILTER (WHERE abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904))::text COLLATE "C" AS c5, sum(((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904)::bigint) FILTER (WHERE abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904))::text COLLATE "C" AS c6, json_agg(t0.duration_ms) FILTER (WHERE NOT (abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904)))::text AS c7, NULLIF(t0.pod, '') ~ $1::text AS c8, NULLIF(t0.workload, '') ~ $2::text AS c9
FROM logs AS t0
GROUP BY NULLIF(t0.workload, ''), NULLIF(t0.pod, ''), t0.status
ORDER BY c3 DESC, c8 DESC NULLS LAST, pod, t0.status, c9 DESC NULLS LAST, workload
LIMIT $3::bigint;
-- $1::text = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2::text = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3::bigint = 100

-- Q27 many groups, top 10
-- * | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10
SELECT NULLIF(t0.trace_id, '') AS trace_id, count(*) AS c1, NULLIF(t0.trace_id, '') ~ $1::text AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.trace_id, '')
ORDER BY c1 DESC, c2 DESC NULLS LAST, trace_id
LIMIT $2::bigint;
-- $1::text = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2::bigint = 10

-- Q28 word over time by level
-- timeout | stats by (_time:1m, level) count() as n
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time, NULLIF(t0.level, '') AS level, count(*) AS c2
FROM logs AS t0
WHERE (position($2::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $3::text)
GROUP BY ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint, NULLIF(t0.level, '')
ORDER BY _time, level;
-- $1::bigint = 60000000000
-- $2::text = "timeout"
-- $3::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q29 distinct values
-- * | uniq by (pod)
SELECT NULLIF(t0.pod, '') AS pod
FROM logs AS t0
GROUP BY NULLIF(t0.pod, '')
ORDER BY pod;

-- Q30 JSON text of 10 k rows
-- level:error | sort by (_time desc) | limit 10000
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.level) = $1::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1::text = "error"
-- $2::bigint = 10000

-- Q31 trace look-up
-- trace_id:c2f1a9 | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, t0.attributes::text AS c12
FROM logs AS t0
WHERE lower(t0.trace_id) = $1::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1::text = "c2f1a9"
-- $2::bigint = 100

-- Q32 ranges
-- duration_ms:>500 status:>=500 | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0
WHERE t0.duration_ms > $1::float8
  AND NOT (t0.duration_ms = 'NaN')
  AND t0.status >= $2::bigint;
-- $1::float8 = 500
-- $2::bigint = 500

-- Q33 one hour, dashboard
-- * | stats by (namespace, level) count() as n, avg(duration_ms) as a
SELECT NULLIF(t0.namespace, '') AS namespace, NULLIF(t0.level, '') AS level, count(*) AS c2, count(t0.duration_ms) AS c3, sum(trunc(t0.duration_ms)::bigint) FILTER (WHERE abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904))::text COLLATE "C" AS c4, sum(((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904)::bigint) FILTER (WHERE abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904))::text COLLATE "C" AS c5, json_agg(t0.duration_ms) FILTER (WHERE NOT (abs(t0.duration_ms) <= 9007199254740992 AND (t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904 = trunc((t0.duration_ms - trunc(t0.duration_ms)) * 4611686018427387904)))::text AS c6
FROM logs AS t0
GROUP BY NULLIF(t0.namespace, ''), NULLIF(t0.level, '')
ORDER BY namespace, level;
