-- rows without the field stay
-- -level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "debug"

-- the minus behind the colon
-- level:-debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "debug"

-- the other spellings
-- !level:debug NOT cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1
  AND (NOT contains(lower(t0.content), $2) OR NOT regexp_matches(lower(t0.content), $3) AND (NOT regexp_matches(lower(t0.content), $4) OR NOT regexp_matches(lower(t0.content), $5)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "debug"
-- $2 = "cache"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache(?:[^0-9A-Za-z_\\x{80}-\…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT contains(lower(t0.content), $1) OR NOT regexp_matches(lower(t0.content), $2) AND (NOT regexp_matches(lower(t0.content), $3) OR NOT regexp_matches(lower(t0.content), $4)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "cache"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache(?:[^0-9A-Za-z_\\x{80}-\…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT contains(lower(t0.content), $1) OR NOT regexp_matches(lower(t0.content), $2) AND (NOT regexp_matches(lower(t0.content), $3) OR NOT regexp_matches(lower(t0.content), $4)) OR t0.content IS NULL OR t0.content = '')
  AND contains(lower(t0.content), $5)
  AND (regexp_matches(lower(t0.content), $6) OR regexp_matches(lower(t0.content), $7) AND regexp_matches(lower(t0.content), $8))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "cache-hit"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache-hit(?:[^0-9A-Za-z_\\x{8…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])cache-hit(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "cache hit"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache hit(?:[^0-9A-Za-z_\\x{8…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])cache hit(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "d"
-- $2 = "e"
-- $3 = "D"
-- $4 = "E"
-- $5 = "debug"

-- a group
-- -(level:debug or level:info) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (lower(t0.level) IN ($1, $2)) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "debug"
-- $2 = "info"

-- not empty
-- -level:"" | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p are nothing
-- level:debug -level:debug
-- above: values: rows written in the query never touch stored data
