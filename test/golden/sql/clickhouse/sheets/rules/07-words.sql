-- a word, whatever the case; other fields do not count
-- connection | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "connection"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase is not cut inside a word
-- "login failed" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "login failed"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase that ends inside a word
-- "login fail" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "login fail"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation counts
-- "user=root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "user=root"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation that is not there
-- "user root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "user root"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word
-- connect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "connect"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word after words
-- "ssh: log"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "ssh: log"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- other alphabets
-- ошибка istanbul | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "ошибка"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "istanbul"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words without blanks
-- テキスト | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "テキスト"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a part of a number
-- "5.3"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "5.3"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- anywhere in the text
-- *onnect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "onnect"

-- the empty text
-- "" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.content IS NULL OR t0.content = '')
ORDER BY t0.time DESC, t0.seq DESC;

-- case counts
-- CONNECTION_lost | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position(t0.content, {p1:String}) > 0)
  AND match(t0.content, {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "CONNECTION_lost"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- case counts, and does not match
-- CONNECTION | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position(t0.content, {p1:String}) > 0)
  AND match(t0.content, {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "CONNECTION"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word without regard to case
-- i(CONNECTION) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "connection"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
