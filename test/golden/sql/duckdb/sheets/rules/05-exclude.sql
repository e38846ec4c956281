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
  AND (NOT (contains(lower(t0.content), $2) AND regexp_matches(lower(t0.content), $3)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "debug"
-- $2 = "cache"
-- $3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (contains(lower(t0.content), $1) AND regexp_matches(lower(t0.content), $2)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "cache"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (contains(lower(t0.content), $1) AND regexp_matches(lower(t0.content), $2)) OR t0.content IS NULL OR t0.content = '')
  AND contains(lower(t0.content), $3)
  AND regexp_matches(lower(t0.content), $4)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "cache-hit"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "cache hit"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) = $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "debug"

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
