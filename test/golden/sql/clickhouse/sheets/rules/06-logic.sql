-- AND is tighter than OR
-- a or b c | fields content
SELECT t0.content
FROM logs AS t0
WHERE ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String}) OR (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String}) AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p5:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "a"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "b"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p5:String} = "c"
-- {p6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- parentheses
-- (a or b) c | fields content
SELECT t0.content
FROM logs AS t0
WHERE ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String}) OR (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String}))
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p5:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p6:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "a"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "b"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p5:String} = "c"
-- {p6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- NOT is tighter than AND
-- not a c | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})) OR t0.content IS NULL OR t0.content = '')
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "a"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "c"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- any case
-- a AND NOT c Or b aNd c | fields content
SELECT t0.content
FROM logs AS t0
WHERE ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String}) AND (NOT ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String})) OR t0.content IS NULL OR t0.content = '') OR (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p5:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p6:String}) AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p7:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p8:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "a"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "c"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p5:String} = "b"
-- {p6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p7:String} = "c"
-- {p8:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
