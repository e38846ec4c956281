-- a word, whatever the case; other fields do not count
-- connection | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "connection"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase is not cut inside a word
-- "login failed" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "login failed"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase that ends inside a word
-- "login fail" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "login fail"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation counts
-- "user=root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "user=root"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation that is not there
-- "user root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "user root"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word
-- connect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "connect"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word after words
-- "ssh: log"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ssh: log"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- other alphabets
-- ошибка istanbul | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
  AND contains(lower(t0.content), $3)
  AND regexp_matches(lower(t0.content), $4)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ошибка"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "istanbul"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words without blanks
-- テキスト | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "テキスト"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a part of a number
-- "5.3"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "5.3"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- anywhere in the text
-- *onnect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "onnect"

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
WHERE contains(t0.content, $1)
  AND regexp_matches(t0.content, $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "CONNECTION_lost"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- case counts, and does not match
-- CONNECTION | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(t0.content, $1)
  AND regexp_matches(t0.content, $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "CONNECTION"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word without regard to case
-- i(CONNECTION) | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND regexp_matches(lower(t0.content), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "connection"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
