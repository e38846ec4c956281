-- a quoted name
-- "a b":x | fields path
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"
-- $2::text = "a b"

-- escapes
-- content:"say \"hi\"\n\t\u00fcn\u00ef" | fields path
-- above: scan: it lowers some letters in another way
SELECT t0.attributes -> $1::text AS c0, t0.content
FROM logs AS t0
WHERE (t0.content ILIKE $2::text)
  AND ((t0.content ILIKE $3::text) OR (t0.content LIKE $4::text) AND (position($5::text IN (translate(lower(t0.content), 'İK', 'ik'))) > 0))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"
-- $2::text = "%say%"
-- $3::text = "%hi%"
-- $4::text = "%İ%"
-- $5::text = "hi"

-- a raw text
-- path:`a:b:c` | fields user
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "user"
-- $2::text = "path"

-- a blank behind the colon
-- path: "a,x" | fields content
-- above: scan: its values are of several kinds
SELECT t0.content, t0.attributes -> $1::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"

-- a keyword as a field and as a word
-- limit:7 plain | fields limit
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
WHERE (t0.content ILIKE $2::text)
  AND ((t0.content ~* $3::text) OR (t0.content ~* $4::text) AND (lower(t0.content) ~ $5::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "limit"
-- $2::text = "%pla_n%"
-- $3::text = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])pla[iİ]n(?:[\\u0…
-- $4::text = "(?s)(?:^|[^0-9A-Za-z_])pla[iİ]n(?:[^0-9A-Za-z_]|$)"
-- $5::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- operators and filters behind parentheses
-- (path:"a,x")or(user:x*)and(user:*y)|fields path
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"
-- $2::text = "user"

-- the same behind brackets and quotes
-- _time:[2026-01-01, 2026-01-02)and(path:*)not(user:*)OR path:"none"or path:in("a:b:c")|fields path
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $2::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"
-- $2::text = "user"

-- keys without parentheses
-- * | stats by path, user count() as n | sort by user, path desc | top 5 by path, n
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"
-- $2::text = "user"

-- a clause behind keys without parentheses
-- * | uniq by user hits limit 1
-- above: distinct: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "user"

-- a filter as a stage, in parentheses
-- * | (path:*x) | fields path
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "path"

-- aliases without as, blanks before commas
-- * | stats count() n , count(user) users | fields n , users
-- above: aggregate: `count`: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "user"
