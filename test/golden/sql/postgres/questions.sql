-- Q01 needle word, newest 100
-- zyxquartz | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $5::bigint;
-- $1 content_pattern = "%zyxquartz%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])zyxquartz(?:[\\u…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])zyxquartz(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 limit = 100

-- Q02 common word, newest 100
-- request | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $5::bigint;
-- $1 content_pattern = "%request%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])request(?:[\\u00…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 limit = 100

-- Q03 common word, count
-- request | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text);
-- $1 content_pattern = "%request%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])request(?:[\\u00…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q04 two words
-- connection refused | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
  AND t0.content ILIKE $5::text
  AND (t0.content ~* $6::text OR t0.content ~* $7::text AND lower(t0.content) ~ $8::text);
-- $1 content_pattern = "%connect_on%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])connect[iİ]on(?:…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 content_pattern_5 = "%refused%"
-- $6 content_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])refused(?:[\\u00…
-- $7 content_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])refused(?:[^0-9A-Za-z_]|$)"
-- $8 content_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q05 phrase
-- "connection reset by peer" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text);
-- $1 content_pattern = "%connect_on reset by peer%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])connect[iİ]on re…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])connect[iİ]on reset by peer(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q06 prefix, few frequent words
-- conn* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text);
-- $1 content_pattern = "%conn%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])conn"
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])conn"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q07 prefix, many rare words
-- user1234* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text);
-- $1 content_pattern = "%user1234%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])user1234"
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])user1234"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q08 substring, frequent
-- content:*"nection re"* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE (t0.content ILIKE $1::text OR t0.content LIKE $2::text AND position($3::text IN translate(lower(t0.content), 'İK', 'ik')) > 0);
-- $1 content_pattern = "%nection re%"
-- $2 content_pattern_2 = "%İ%"
-- $3 content_part = "nection re"

-- Q09 substring, rare
-- content:*deadbe* | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $1::text;
-- $1 content_pattern = "%deadbe%"

-- Q10 regexp with a literal
-- content:~"retry [45] of 5 for call to [a-m]" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ~ $1::text;
-- $1 content_pattern = "retry\\u0020[45]\\u0020of\\u00205\\u0020for\\u0020call\\u0020to\\u0020[…

-- Q11 regexp without literals
-- content:~"[a-f]{7}[0-9]{2}" | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.content ~ $1::text;
-- $1 content_pattern = "[a-f]{7}[0-9]{2}"

-- Q12 field + word, newest 100
-- workload:checkout-api timeout | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.workload ILIKE $1::text
  AND lower(t0.workload) IN ($2::text, $3::text, $4::text, $5::text)
  AND t0.content ILIKE $6::text
  AND (t0.content ~* $7::text OR t0.content ~* $8::text AND lower(t0.content) ~ $9::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $10::bigint;
-- $1 workload_pattern = "chec_out-ap_"
-- $2 workload = "checkout-api"
-- $3 workload_2 = "checkout-apİ"
-- $4 workload_3 = "checKout-api"
-- $5 workload_4 = "checKout-apİ"
-- $6 content_pattern = "%t_meout%"
-- $7 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])t[iİ]meout(?:[\\…
-- $8 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- $9 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $10 limit = 100

-- Q13 repeated field
-- level:error level:warn namespace:payments | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
  AND t0.namespace = ANY($2::text[]);
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 namespace = "{\"payments\",\"Payments\",\"pAyments\",\"PAyments\",\"paYments\",\"PaY…

-- Q14 exclusions + word
-- -level:debug -level:info request | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE (NOT (t0.level = ANY($1::text[])) OR t0.level IS NULL OR t0.level = '')
  AND (NOT (t0.level = ANY($2::text[])) OR t0.level IS NULL OR t0.level = '')
  AND t0.content ILIKE $3::text
  AND (t0.content ~* $4::text OR t0.content ~* $5::text AND lower(t0.content) ~ $6::text);
-- $1 level = "{\"debug\",\"Debug\",\"dEbug\",\"DEbug\",\"deBug\",\"DeBug\",\"dEBug\",…
-- $2 level_2 = "{\"info\",\"Info\",\"İnfo\",\"iNfo\",\"INfo\",\"İNfo\",\"inFo\",\"InFo\…
-- $3 content_pattern = "%request%"
-- $4 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])request(?:[\\u00…
-- $5 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])request(?:[^0-9A-Za-z_]|$)"
-- $6 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q15 nest
-- (level:error OR status:503) AND (namespace:payments OR namespace:discovery) AND -retry | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE (t0.level = ANY($1::text[]) OR t0.status = $2::bigint)
  AND t0.namespace = ANY($3::text[])
  AND (NOT (t0.content ILIKE $4::text) OR NOT (t0.content ~* $5::text) AND (NOT (t0.content ~* $6::text) OR NOT (lower(t0.content) ~ $7::text)) OR t0.content IS NULL OR t0.content = '');
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 status = 503
-- $3 namespace = "{\"payments\",\"Payments\",\"pAyments\",\"PAyments\",\"paYments\",\"PaY…
-- $4 content_pattern = "%retry%"
-- $5 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])retry(?:[\\u0001…
-- $6 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])retry(?:[^0-9A-Za-z_]|$)"
-- $7 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q16 five minutes, newest 100
-- level:error namespace:payments | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
  AND t0.namespace = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 namespace = "{\"payments\",\"Payments\",\"pAyments\",\"PAyments\",\"paYments\",\"PaY…
-- $3 limit = 100

-- Q17 top 100 by duration
-- level:error | sort by (duration_ms desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
ORDER BY t0.duration_ms = 'NaN', t0.duration_ms DESC NULLS LAST, t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 limit = 100

-- Q18 deep page
-- namespace:payments | sort by (_time desc) | offset 1000 | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.namespace = ANY($1::text[])
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint
OFFSET $3::bigint;
-- $1 namespace = "{\"payments\",\"Payments\",\"pAyments\",\"PAyments\",\"paYments\",\"PaY…
-- $2 limit = 100
-- $3 offset = 1000

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
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $1::text AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY n DESC, c2 DESC NULLS LAST, workload
LIMIT $2::bigint;
-- $1 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 limit = 10

-- Q22 count if
-- * | stats by (workload) count() as n, count() if (level:error) as e
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n,
  count(*) FILTER (WHERE t0.level = ANY($1::text[])) AS e
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- Q23 avg, exact p50, p99
-- * | stats by (workload) avg(duration_ms) as a, quantile(0.5, duration_ms) as p50, quantile(0.99, duration_ms) as p99
SELECT NULLIF(t0.workload, '') AS workload, count(nullif(t0.duration_ms, 'NaN')) AS c1,
  sum(nullif(t0.duration_ms, 'NaN')) AS c2,
  percentile_disc($1::float8) WITHIN GROUP (ORDER BY t0.duration_ms) AS p50,
  percentile_disc($2::float8) WITHIN GROUP (ORDER BY t0.duration_ms) AS p99
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
-- $1 duration_ms_quantile = 0.50000000001
-- $2 duration_ms_quantile_2 = 0.990000000001

-- Q24 exact distinct
-- * | stats count_uniq(trace_id) as n
SELECT count(DISTINCT t0.trace_id) FILTER (WHERE t0.trace_id <> '') AS n
FROM logs AS t0;

-- Q25 minutes
-- * | stats by (_time:1m) count() as n
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $1 time_width = 60000000000

-- Q26 30 k groups, top 100
-- * | stats by (workload, pod, status) count() as n, avg(duration_ms) as a | sort by (n desc, pod asc, status asc) | limit 100
SELECT NULLIF(t0.workload, '') AS workload, NULLIF(t0.pod, '') AS pod, t0.status, count(*) AS n,
  count(nullif(t0.duration_ms, 'NaN')) AS c4, sum(nullif(t0.duration_ms, 'NaN')) AS c5,
  (NULLIF(t0.pod, '') < ':' OR NULLIF(t0.pod, '') >= 'I' AND NULLIF(t0.pod, '') < 'J' OR NULLIF(t0.pod, '') >= 'i' AND NULLIF(t0.pod, '') < 'j') AND (NULLIF(t0.pod, '') < '1' OR NULLIF(t0.pod, '') NOT LIKE '%a%' AND NULLIF(t0.pod, '') NOT LIKE '%c%') AND NULLIF(t0.pod, '') ~ $1::text AS c6,
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $2::text AS c7
FROM logs AS t0
GROUP BY 1, 2, t0.status
ORDER BY n DESC, c6 DESC NULLS LAST, pod, t0.status, c7 DESC NULLS LAST, workload
LIMIT $3::bigint;
-- $1 pod_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 limit = 100

-- Q27 many groups, top 10
-- * | stats by (trace_id) count() as n | sort by (n desc, trace_id asc) | limit 10
SELECT NULLIF(t0.trace_id, '') AS trace_id, count(*) AS n,
  (NULLIF(t0.trace_id, '') < ':' OR NULLIF(t0.trace_id, '') >= 'I' AND NULLIF(t0.trace_id, '') < 'J' OR NULLIF(t0.trace_id, '') >= 'i' AND NULLIF(t0.trace_id, '') < 'j') AND (NULLIF(t0.trace_id, '') < '1' OR NULLIF(t0.trace_id, '') NOT LIKE '%a%' AND NULLIF(t0.trace_id, '') NOT LIKE '%c%') AND NULLIF(t0.trace_id, '') ~ $1::text AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY n DESC, c2 DESC NULLS LAST, trace_id
LIMIT $2::bigint;
-- $1 trace_id_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 limit = 10

-- Q28 word over time by level
-- timeout | stats by (_time:1m, level) count() as n
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time,
  NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
GROUP BY 1, 2
ORDER BY _time, level;
-- $1 time_width = 60000000000
-- $2 content_pattern = "%t_meout%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])t[iİ]meout(?:[\\…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- Q29 distinct values
-- * | uniq by (pod)
SELECT NULLIF(t0.pod, '') AS pod
FROM logs AS t0
GROUP BY 1
ORDER BY pod;

-- Q30 JSON text of 10 k rows
-- level:error | sort by (_time desc) | limit 10000
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 limit = 10000

-- Q31 trace look-up
-- trace_id:c2f1a9 | sort by (_time desc) | limit 100
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.trace_id IN ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $9::bigint;
-- $1 trace_id = "c2f1a9"
-- $2 trace_id_2 = "C2f1a9"
-- $3 trace_id_3 = "c2F1a9"
-- $4 trace_id_4 = "C2F1a9"
-- $5 trace_id_5 = "c2f1A9"
-- $6 trace_id_6 = "C2f1A9"
-- $7 trace_id_7 = "c2F1A9"
-- $8 trace_id_8 = "C2F1A9"
-- $9 limit = 100

-- Q32 ranges
-- duration_ms:>500 status:>=500 | stats count() as n
SELECT count(*) AS n
FROM logs AS t0
WHERE t0.duration_ms > $1::float8
  AND NOT (t0.duration_ms = 'NaN')
  AND t0.status >= $2::bigint;
-- $1 duration_ms_above = 500
-- $2 status_from = 500

-- Q33 one hour, dashboard
-- * | stats by (namespace, level) count() as n, avg(duration_ms) as a
SELECT NULLIF(t0.namespace, '') AS namespace, NULLIF(t0.level, '') AS level, count(*) AS n,
  count(nullif(t0.duration_ms, 'NaN')) AS c3, sum(nullif(t0.duration_ms, 'NaN')) AS c4
FROM logs AS t0
GROUP BY 1, 2
ORDER BY namespace, level;
