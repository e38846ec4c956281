-- a word, whatever the case; other fields do not count
-- connection | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "connection"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase is not cut inside a word
-- "login failed" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "login failed"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])login failed(?:[^0-9A-Za-z_\\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])login failed(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a phrase that ends inside a word
-- "login fail" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "login fail"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])login fail(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])login fail(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation counts
-- "user=root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "user=root"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user=root(?:[^0-9A-Za-z_\\x{8…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])user=root(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- punctuation that is not there
-- "user root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "user root"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])user root(?:[^0-9A-Za-z_\\x{8…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])user root(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word
-- connect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "connect"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connect"
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connect"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the start of a word after words
-- "ssh: log"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "ssh: log"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])ssh: log"
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])ssh: log"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- other alphabets
-- ошибка istanbul | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
  AND contains(lower(t0.content), $content_part_2)
  AND (regexp_matches(lower(t0.content), $content_pattern_4) OR regexp_matches(lower(t0.content), $content_pattern_5) AND regexp_matches(lower(t0.content), $content_pattern_6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "ошибка"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])ошибка(?:[^0-9A-Za-z_\\x{80}-…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])ошибка(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $content_part_2 = "istanbul"
-- $content_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])istanbul(?:[^0-9A-Za-z_\\x{80…
-- $content_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])istanbul(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words without blanks
-- テキスト | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "テキスト"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])テキスト(?:[^0-9A-Za-z_\\x{80}-\\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])テキスト(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a part of a number
-- "5.3"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "5.3"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])5\\.3"
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])5\\.3"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- anywhere in the text
-- *onnect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "onnect"

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
WHERE contains(t0.content, $content_part)
  AND (regexp_matches(t0.content, $content_pattern) OR regexp_matches(t0.content, $content_pattern_2) AND regexp_matches(t0.content, $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "CONNECTION_lost"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])CONNECTION_lost(?:[^0-9A-Za-z…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])CONNECTION_lost(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- case counts, and does not match
-- CONNECTION | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(t0.content, $content_part)
  AND (regexp_matches(t0.content, $content_pattern) OR regexp_matches(t0.content, $content_pattern_2) AND regexp_matches(t0.content, $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "CONNECTION"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])CONNECTION(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])CONNECTION(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a word without regard to case
-- i(CONNECTION) | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "connection"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])connection(?:[^0-9A-Za-z_\\x{…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])connection(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
