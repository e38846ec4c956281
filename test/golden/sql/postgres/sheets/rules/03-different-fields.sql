-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
  AND t0.workload = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 workload = "{\"api\",\"Api\",\"aPi\",\"APi\",\"apI\",\"ApI\",\"aPI\",\"API\",\"apİ\…

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.workload = ANY($1::text[])
  AND t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 workload = "{\"api\",\"Api\",\"aPi\",\"APi\",\"apI\",\"ApI\",\"aPI\",\"API\",\"apİ\…
-- $2 content_pattern = "%t_meout%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])t[iİ]meout(?:[\\…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- two words
-- timeout ok
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
  AND t0.content ILIKE $5::text
  AND (t0.content ~* $6::text OR t0.content ~* $7::text AND lower(t0.content) ~ $8::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%t_meout%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])t[iİ]meout(?:[\\…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 content_pattern_5 = "%o_%"
-- $6 content_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])o[kK](?:[\\u0001…
-- $7 content_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])o[kK](?:[^0-9A-Za-z_]|$)"
-- $8 content_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- fields nobody has
-- nobody:here workload:api
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) = ANY($2::text[])
  AND t0.workload = ANY($3::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "nobody"
-- $2 attributes = "{\"here\",\"Here\",\"hEre\",\"HEre\",\"heRe\",\"HeRe\",\"hERe\",\"HERe\…
-- $3 workload = "{\"api\",\"Api\",\"aPi\",\"APi\",\"apI\",\"ApI\",\"aPI\",\"API\",\"apİ\…
