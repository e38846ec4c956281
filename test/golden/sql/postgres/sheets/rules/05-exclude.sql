-- rows without the field stay
-- -level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "debug"

-- the minus behind the colon
-- level:-debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "debug"

-- the other spellings
-- !level:debug NOT cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1::text
  AND (NOT (position($2::text IN lower(t0.content)) > 0) OR NOT (lower(t0.content) ~ $3::text) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "debug"
-- $2::text = "cache"
-- $3::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (position($1::text IN lower(t0.content)) > 0) OR NOT (lower(t0.content) ~ $2::text) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "cache"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0) OR NOT ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text) OR t0.content IS NULL OR t0.content = '')
  AND (position($3::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "cache-hit"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "cache hit"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) = $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "debug"

-- a group
-- -(level:debug or level:info) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (lower(t0.level) IN ($1::text, $2::text, $3::text)) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "debug"
-- $2::text = "info"
-- $3::text = "İnfo"

-- not empty
-- -level:"" | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p are nothing
-- level:debug -level:debug
-- above: values: rows written in the query never touch stored data
