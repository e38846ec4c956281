-- rows without the field stay
-- -level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IS DISTINCT FROM {p1:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "debug"

-- the minus behind the colon
-- level:-debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IS DISTINCT FROM {p1:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "debug"

-- the other spellings
-- !level:debug NOT cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IS DISTINCT FROM {p1:String}
  AND (NOT ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p2:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p3:String})) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "debug"
-- {p2:String} = "cache"
-- {p3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word
-- -cache | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})) OR t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "cache"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase with a minus inside
-- -"cache-hit" "cache hit" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})) OR t0.content IS NULL OR t0.content = '')
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "cache-hit"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "cache hit"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two of them cancel
-- --level:debug | fields content
SELECT t0.content
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) = {p1:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "debug"

-- a group
-- -(level:debug or level:info) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT ((lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IN ({p1:String}, {p2:String})) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "debug"
-- {p2:String} = "info"

-- not empty
-- -level:"" | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p are nothing
-- level:debug -level:debug
-- above: values: rows written in the query never touch stored data
