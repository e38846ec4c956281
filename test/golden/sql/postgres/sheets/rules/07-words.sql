-- a word, whatever the case; other fields do not count
-- connection | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "connection"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a phrase is not cut inside a word
-- "login failed" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "login failed"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a phrase that ends inside a word
-- "login fail" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "login fail"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- punctuation counts
-- "user=root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "user=root"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- punctuation that is not there
-- "user root" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "user root"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the start of a word
-- connect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "connect"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the start of a word after words
-- "ssh: log"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "ssh: log"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- other alphabets
-- ошибка istanbul | fields content
-- above: scan: it lowers some letters in another way
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "istanbul"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- words without blanks
-- テキスト | fields content
-- above: scan: it lowers some letters in another way
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a part of a number
-- "5.3"* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "5.3"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- anywhere in the text
-- *onnect* | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN lower(t0.content)) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "onnect"

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
WHERE (position($1::text IN t0.content) > 0)
  AND (t0.content ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "CONNECTION_lost"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- case counts, and does not match
-- CONNECTION | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN t0.content) > 0)
  AND (t0.content ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "CONNECTION"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a word without regard to case
-- i(CONNECTION) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (position($1::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0)
  AND ((translate(lower(t0.content), 'İK', 'ik')) ~ $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "connection"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
