-- rows without the field stay
-- -level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (t0.level = ANY($1::text[])) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"debug\",\"Debug\",\"dEbug\",\"DEbug\",\"deBug\",\"DeBug\",\"dEBug\",…

-- the minus behind the colon
-- level:-debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (t0.level = ANY($1::text[])) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"debug\",\"Debug\",\"dEbug\",\"DEbug\",\"deBug\",\"DeBug\",\"dEBug\",…

-- the other spellings
-- !level:debug NOT cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (t0.level = ANY($1::text[])) OR t0.level IS NULL OR t0.level = '')
  AND (NOT (t0.content ILIKE $2::text) OR NOT (t0.content ~* $3::text) AND (NOT (t0.content ~* $4::text) OR NOT (lower(t0.content) ~ $5::text)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"debug\",\"Debug\",\"dEbug\",\"DEbug\",\"deBug\",\"DeBug\",\"dEBug\",…
-- $2 content_pattern = "%cache%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])cache(?:[\\u0001…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (t0.content ILIKE $1::text) OR NOT (t0.content ~* $2::text) AND (NOT (t0.content ~* $3::text) OR NOT (lower(t0.content) ~ $4::text)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%cache%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])cache(?:[\\u0001…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (t0.content ILIKE $1::text) OR NOT (t0.content ~* $2::text) AND (NOT (t0.content ~* $3::text) OR NOT (lower(t0.content) ~ $4::text)) OR t0.content IS NULL OR t0.content = '')
  AND t0.content ILIKE $5::text
  AND (t0.content ~* $6::text OR t0.content ~* $7::text AND lower(t0.content) ~ $8::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%cache-h_t%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])cache-h[iİ]t(?:[…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])cache-h[iİ]t(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 content_pattern_5 = "%cache h_t%"
-- $6 content_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])cache h[iİ]t(?:[…
-- $7 content_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])cache h[iİ]t(?:[^0-9A-Za-z_]|$)"
-- $8 content_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"debug\",\"Debug\",\"dEbug\",\"DEbug\",\"deBug\",\"DeBug\",\"dEBug\",…

-- a group
-- -(level:debug or level:info) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (t0.level = ANY($1::text[])) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"debug\",\"Debug\",\"dEbug\",\"DEbug\",\"deBug\",\"DeBug\",\"dEBug\",…

-- not empty
-- -level:"" | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p are nothing
-- level:debug -level:debug
-- above: values: rows written in the query never touch stored data
