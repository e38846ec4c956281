-- a quoted name
-- "a b":x | fields path
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE (t0.attributes[$2] >= $3 AND t0.attributes[$2] < $4 OR t0.attributes[$2] >= $5 AND t0.attributes[$2] < $6)
  AND lower(t0.attributes[$2]) = $7
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "path"
-- $2 = "a b"
-- $3 = "x"
-- $4 = "y"
-- $5 = "X"
-- $6 = "Y"
-- $7 = "x"

-- escapes
-- content:"say \"hi\"\n\t\u00fcn\u00ef" | fields path
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $2)
  AND (regexp_matches(lower(t0.content), $3) OR regexp_matches(lower(t0.content), $4) AND regexp_matches(lower(t0.content), $5))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "path"
-- $2 = "say \"hi\"\n\tünï"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])say \"hi\"\n\tünï(?:[^0-9A-Za…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])say \"hi\"\n\tünï(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a raw text
-- path:`a:b:c` | fields user
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE (t0.attributes[$2] >= $3 AND t0.attributes[$2] < $4 OR t0.attributes[$2] >= $5 AND t0.attributes[$2] < $6)
  AND lower(t0.attributes[$2]) = $7
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "user"
-- $2 = "path"
-- $3 = "a:"
-- $4 = "a;"
-- $5 = "A:"
-- $6 = "A;"
-- $7 = "a:b:c"

-- a blank behind the colon
-- path: "a,x" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.attributes[$1] >= $2 AND t0.attributes[$1] < $3 OR t0.attributes[$1] >= $4 AND t0.attributes[$1] < $5)
  AND lower(t0.attributes[$1]) = $6
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "path"
-- $2 = "a,"
-- $3 = "a-"
-- $4 = "A,"
-- $5 = "A-"
-- $6 = "a,x"

-- a keyword as a field and as a word
-- limit:7 plain | fields limit
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE t0.attributes[$1] >= $2
  AND t0.attributes[$1] < $3
  AND lower(t0.attributes[$1]) = $4
  AND contains(lower(t0.content), $5)
  AND (regexp_matches(lower(t0.content), $6) OR regexp_matches(lower(t0.content), $7) AND regexp_matches(lower(t0.content), $8))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "limit"
-- $2 = "7"
-- $3 = "8"
-- $4 = "7"
-- $5 = "plain"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])plain(?:[^0-9A-Za-z_\\x{80}-\…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])plain(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- operators and filters behind parentheses
-- (path:"a,x")or(user:x*)and(user:*y)|fields path
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE ((t0.attributes[$1] >= $2 AND t0.attributes[$1] < $3 OR t0.attributes[$1] >= $4 AND t0.attributes[$1] < $5) AND lower(t0.attributes[$1]) = $6 OR starts_with(lower(t0.attributes[$7]), $8) AND regexp_matches(lower(t0.attributes[$7]), $9))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "path"
-- $2 = "a,"
-- $3 = "a-"
-- $4 = "A,"
-- $5 = "A-"
-- $6 = "a,x"
-- $7 = "user"
-- $8 = "x"
-- $9 = "(?s)^.*y$"

-- the same behind brackets and quotes
-- _time:[2026-01-01, 2026-01-02)and(path:*)not(user:*)OR path:"none"or path:in("a:b:c")|fields path
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE (t0.time >= make_timestamp_ns($2) AND t0.time < make_timestamp_ns($3) AND t0.attributes[$1] <> '' AND (t0.attributes[$4] IS NULL OR t0.attributes[$4] = '') OR lower(t0.attributes[$1]) IN ($5, $6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "path"
-- $2 = 1767225600000000000
-- $3 = 1767312000000000000
-- $4 = "user"
-- $5 = "none"
-- $6 = "a:b:c"

-- keys without parentheses
-- * | stats by path, user count() as n | sort by user, path desc | top 5 by path, n
SELECT q1.c0, q1.c2 AS c1, count(*) AS c2, regexp_matches(q1.c0, $1) AS c3
FROM (
  SELECT NULLIF(t0.attributes[$2], '') AS c0, NULLIF(t0.attributes[$3], '') AS c1, count(*) AS c2, regexp_matches(NULLIF(t0.attributes[$2], ''), $4) AS c3, regexp_matches(NULLIF(t0.attributes[$3], ''), $5) AS c4
  FROM logs AS t0
  GROUP BY NULLIF(t0.attributes[$2], ''), NULLIF(t0.attributes[$3], '')
) AS q1
GROUP BY q1.c0, q1.c2
ORDER BY c2 DESC, c3 DESC, q1.c0, q1.c2
LIMIT $6;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = "path"
-- $3 = "user"
-- $4 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $5 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $6 = 5

-- a clause behind keys without parentheses
-- * | uniq by user hits limit 1
SELECT NULLIF(t0.attributes[$1], '') AS c0, count(*) AS c1, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.attributes[$1], '')
ORDER BY c2 DESC, c0
LIMIT $3;
-- $1 = "user"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 1

-- a filter as a stage, in parentheses
-- * | (path:*x) | fields path
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE regexp_matches(lower(t0.attributes[$1]), $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "path"
-- $2 = "(?s)^.*x$"

-- aliases without as, blanks before commas
-- * | stats count() n , count(user) users | fields n , users
SELECT count(*) AS c0, count(CASE WHEN t0.attributes[$1] <> '' THEN TRUE ELSE NULL END) AS c1
FROM logs AS t0;
-- $1 = "user"
