-- rows without the field stay
-- -level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "debug"

-- the minus behind the colon
-- level:-debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "debug"

-- the other spellings
-- !level:debug NOT cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $level
  AND (NOT contains(lower(t0.content), $content_part) OR NOT regexp_matches(lower(t0.content), $content_pattern) AND (NOT regexp_matches(lower(t0.content), $content_pattern_2) OR NOT regexp_matches(lower(t0.content), $content_pattern_3)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "debug"
-- $content_part = "cache"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT contains(lower(t0.content), $content_part) OR NOT regexp_matches(lower(t0.content), $content_pattern) AND (NOT regexp_matches(lower(t0.content), $content_pattern_2) OR NOT regexp_matches(lower(t0.content), $content_pattern_3)) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "cache"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT contains(lower(t0.content), $content_part) OR NOT regexp_matches(lower(t0.content), $content_pattern) AND (NOT regexp_matches(lower(t0.content), $content_pattern_2) OR NOT regexp_matches(lower(t0.content), $content_pattern_3)) OR t0.content IS NULL OR t0.content = '')
  AND contains(lower(t0.content), $content_part_2)
  AND (regexp_matches(lower(t0.content), $content_pattern_4) OR regexp_matches(lower(t0.content), $content_pattern_5) AND regexp_matches(lower(t0.content), $content_pattern_6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "cache-hit"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache-hit(?:[^0-9A-Za-z_\\x{8…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])cache-hit(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $content_part_2 = "cache hit"
-- $content_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache hit(?:[^0-9A-Za-z_\\x{8…
-- $content_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])cache hit(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_from = "d"
-- $level_below = "e"
-- $level_from_2 = "D"
-- $level_below_2 = "E"
-- $level = "debug"

-- a group
-- -(level:debug or level:info) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (lower(t0.level) IN ($level, $level_2)) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "debug"
-- $level_2 = "info"

-- not empty
-- -level:"" | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p are nothing
-- level:debug -level:debug
-- above: values: rows written in the query never touch stored data
