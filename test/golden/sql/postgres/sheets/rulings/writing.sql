-- a quoted name
-- "a b":x | fields path
SELECT t0.attributes -> $1::text AS path
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"
-- $2 attributes_key_2 = "a b"
-- $3 attributes = "x"
-- $4 attributes_2 = "X"

-- escapes
-- content:"say \"hi\"\n\t\u00fcn\u00ef" | fields path
-- above: scan: it lowers some letters in another way
SELECT t0.attributes -> $1::text AS path, t0.content
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ILIKE $3::text OR t0.content LIKE $4::text AND position($5::text IN translate(lower(t0.content), 'İK', 'ik')) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"
-- $2 content_pattern = "%say%"
-- $3 content_pattern_2 = "%hi%"
-- $4 content_pattern_3 = "%İ%"
-- $5 content_part = "hi"

-- a raw text
-- path:`a:b:c` | fields user
SELECT t0.attributes -> $1::text AS "user"
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "user"
-- $2 attributes_key_2 = "path"
-- $3 attributes = "a:b:c"
-- $4 attributes_2 = "A:b:c"
-- $5 attributes_3 = "a:B:c"
-- $6 attributes_4 = "A:B:c"
-- $7 attributes_5 = "a:b:C"
-- $8 attributes_6 = "A:b:C"
-- $9 attributes_7 = "a:B:C"
-- $10 attributes_8 = "A:B:C"

-- a blank behind the colon
-- path: "a,x" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) IN ($2::text, $3::text, $4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"
-- $2 attributes = "a,x"
-- $3 attributes_2 = "A,x"
-- $4 attributes_3 = "a,X"
-- $5 attributes_4 = "A,X"

-- a keyword as a field and as a word
-- limit:7 plain | fields limit
SELECT t0.attributes -> $1::text AS "limit"
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
  AND t0.content ILIKE $5::text
  AND (t0.content ~* $6::text OR t0.content ~* $7::text AND lower(t0.content) ~ $8::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "limit"
-- $2 attributes = "7"
-- $3 attributes_from = "6.999999999999999555910790149937383830547332763671875"
-- $4 attributes_to = "7.000000000000000444089209850062616169452667236328125"
-- $5 content_pattern = "%pla_n%"
-- $6 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])pla[iİ]n(?:[\\u0…
-- $7 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])pla[iİ]n(?:[^0-9A-Za-z_]|$)"
-- $8 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- operators and filters behind parentheses
-- (path:"a,x")or(user:x*)and(user:*y)|fields path
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS path, t0.attributes -> $2::text AS "user"
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) IN ($3::text, $4::text, $5::text, $6::text) OR ((t0.attributes ->> $2::text) COLLATE "C") ILIKE $7::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"
-- $2 attributes_key_2 = "user"
-- $3 attributes = "a,x"
-- $4 attributes_2 = "A,x"
-- $5 attributes_3 = "a,X"
-- $6 attributes_4 = "A,X"
-- $7 attributes_pattern = "x%"

-- the same behind brackets and quotes
-- _time:[2026-01-01, 2026-01-02)and(path:*)not(user:*)OR path:"none"or path:in("a:b:c")|fields path
SELECT t0.attributes -> $1::text AS path
FROM logs AS t0
WHERE (t0.time >= ($2::text::timestamptz) AND t0.time < ($3::text::timestamptz) AND (t0.attributes ->> $1::text) <> '' AND ((t0.attributes ->> $4::text) IS NULL OR (t0.attributes ->> $4::text) = '') OR (t0.attributes ->> $1::text) = ANY($5::text[]))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"
-- $2 time_from = "2026-01-01T00:00:00.000000000Z"
-- $3 time_below = "2026-01-02T00:00:00.000000000Z"
-- $4 attributes_key_2 = "user"
-- $5 attributes = "{\"none\",\"None\",\"nOne\",\"NOne\",\"noNe\",\"NoNe\",\"nONe\",\"NONe\…

-- keys without parentheses
-- * | stats by path, user count() as n | sort by user, path desc | top 5 by path, n
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS path, t0.attributes -> $2::text AS "user"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"
-- $2 attributes_key_2 = "user"

-- a clause behind keys without parentheses
-- * | uniq by user hits limit 1
-- above: distinct: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS "user"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "user"

-- a filter as a stage, in parentheses
-- * | (path:*x) | fields path
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS path
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "path"

-- aliases without as, blanks before commas
-- * | stats count() n , count(user) users | fields n , users
-- above: aggregate: `count`: its values are of several kinds
SELECT t0.attributes -> $1::text AS "user"
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "user"
