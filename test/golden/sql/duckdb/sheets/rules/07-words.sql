-- a word, whatever the case; other fields do not count
-- connection | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "connection"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase is not cut inside a word
-- "login failed" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "login failed"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])login failed(?:[^0-9A-Za-z_\\…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])login failed(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase that ends inside a word
-- "login fail" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "login fail"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])login fail(?:[^0-9A-Za-z_\\x{…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])login fail(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation counts
-- "user=root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "user=root"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user=root(?:[^0-9A-Za-z_\\x{8…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])user=root(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation that is not there
-- "user root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "user root"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user root(?:[^0-9A-Za-z_\\x{8…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])user root(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word
-- connect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "connect"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connect"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])connect"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word after words
-- "ssh: log"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ssh: log"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])ssh: log"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])ssh: log"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- other alphabets
-- ошибка istanbul | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
  AND contains(lower(t0.content), $5)
  AND (regexp_matches(lower(t0.content), $6) OR regexp_matches(lower(t0.content), $7) AND regexp_matches(lower(t0.content), $8))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ошибка"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])ошибка(?:[^0-9A-Za-z_\\x{80}-…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])ошибка(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "istanbul"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])istanbul(?:[^0-9A-Za-z_\\x{80…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])istanbul(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words without blanks
-- テキスト | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "テキスト"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])テキスト(?:[^0-9A-Za-z_\\x{80}-\\…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])テキスト(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a part of a number
-- "5.3"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "5.3"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])5\\.3"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])5\\.3"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

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
  AND (regexp_matches(t0.content, $2) OR regexp_matches(t0.content, $3) AND regexp_matches(t0.content, $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "CONNECTION_lost"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])CONNECTION_lost(?:[^0-9A-Za-z…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])CONNECTION_lost(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- case counts, and does not match
-- CONNECTION | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(t0.content, $1)
  AND (regexp_matches(t0.content, $2) OR regexp_matches(t0.content, $3) AND regexp_matches(t0.content, $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "CONNECTION"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])CONNECTION(?:[^0-9A-Za-z_\\x{…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])CONNECTION(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word without regard to case
-- i(CONNECTION) | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "connection"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
