-- rows without the field stay
-- -level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "debug"

-- the minus behind the colon
-- level:-debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "debug"

-- the other spellings
-- !level:debug NOT cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM {level:String}
  AND (NOT match(lower(t0.content), {content_pattern:String}) OR NOT (length(t0.content) = lengthUTF8(t0.content)) AND NOT match(lower(t0.content), {content_pattern_2:String}) AND NOT match(lower(t0.content), {content_pattern_3:String}) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "debug"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache(?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT match(lower(t0.content), {content_pattern:String}) OR NOT (length(t0.content) = lengthUTF8(t0.content)) AND NOT match(lower(t0.content), {content_pattern_2:String}) AND NOT match(lower(t0.content), {content_pattern_3:String}) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])cache(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache(?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT match(lower(t0.content), {content_pattern:String}) OR NOT (length(t0.content) = lengthUTF8(t0.content)) AND NOT match(lower(t0.content), {content_pattern_2:String}) AND NOT match(lower(t0.content), {content_pattern_3:String}) OR t0.content IS NULL OR t0.content = '')
  AND match(lower(t0.content), {content_pattern_4:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_5:String}) OR match(lower(t0.content), {content_pattern_6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])cache-h[iİ]t(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache-h[iİ]t(?:[^0-9A-Za-z_\\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])cache h[iİ]t(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])cache h[iİ]t(?:[^0-9A-Za-z_\\…
-- {content_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "debug"

-- a group
-- -(level:debug or level:info) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (lower(t0.level) IN ({level:String}, {level_2:String}, {level_3:String})) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "debug"
-- {level_2:String} = "info"
-- {level_3:String} = "İnfo"

-- not empty
-- -level:"" | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p are nothing
-- level:debug -level:debug
-- above: values: rows written in the query never touch stored data
