-- a quoted name
-- "a b":x | fields path
SELECT t0.attributes[$attributes_key] AS path
FROM logs AS t0
WHERE (t0.attributes[$attributes_key_2] >= $attributes_from AND t0.attributes[$attributes_key_2] < $attributes_below OR t0.attributes[$attributes_key_2] >= $attributes_from_2 AND t0.attributes[$attributes_key_2] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key_2]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "path"
-- $attributes_key_2 = "a b"
-- $attributes_from = "x"
-- $attributes_below = "y"
-- $attributes_from_2 = "X"
-- $attributes_below_2 = "Y"
-- $attributes = "x"

-- escapes
-- content:"say \"hi\"\n\t\u00fcn\u00ef" | fields path
SELECT t0.attributes[$attributes_key] AS path
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "path"
-- $content_part = "say \"hi\"\n\tünï"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])say \"hi\"\n\tünï(?:[^0-9A-Za…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])say \"hi\"\n\tünï(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a raw text
-- path:`a:b:c` | fields user
SELECT t0.attributes[$attributes_key] AS user
FROM logs AS t0
WHERE (t0.attributes[$attributes_key_2] >= $attributes_from AND t0.attributes[$attributes_key_2] < $attributes_below OR t0.attributes[$attributes_key_2] >= $attributes_from_2 AND t0.attributes[$attributes_key_2] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key_2]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "user"
-- $attributes_key_2 = "path"
-- $attributes_from = "a:"
-- $attributes_below = "a;"
-- $attributes_from_2 = "A:"
-- $attributes_below_2 = "A;"
-- $attributes = "a:b:c"

-- a blank behind the colon
-- path: "a,x" | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.attributes[$attributes_key] >= $attributes_from AND t0.attributes[$attributes_key] < $attributes_below OR t0.attributes[$attributes_key] >= $attributes_from_2 AND t0.attributes[$attributes_key] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "path"
-- $attributes_from = "a,"
-- $attributes_below = "a-"
-- $attributes_from_2 = "A,"
-- $attributes_below_2 = "A-"
-- $attributes = "a,x"

-- a keyword as a field and as a word
-- limit:7 plain | fields limit
SELECT t0.attributes[$attributes_key] AS "limit"
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
  AND contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "limit"
-- $attributes_from = "7"
-- $attributes_below = "8"
-- $attributes = "7"
-- $content_part = "plain"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])plain(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])plain(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- operators and filters behind parentheses
-- (path:"a,x")or(user:x*)and(user:*y)|fields path
SELECT t0.attributes[$attributes_key] AS path
FROM logs AS t0
WHERE ((t0.attributes[$attributes_key] >= $attributes_from AND t0.attributes[$attributes_key] < $attributes_below OR t0.attributes[$attributes_key] >= $attributes_from_2 AND t0.attributes[$attributes_key] < $attributes_below_2) AND lower(t0.attributes[$attributes_key]) = $attributes OR starts_with(lower(t0.attributes[$attributes_key_2]), $attributes_start) AND regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "path"
-- $attributes_from = "a,"
-- $attributes_below = "a-"
-- $attributes_from_2 = "A,"
-- $attributes_below_2 = "A-"
-- $attributes = "a,x"
-- $attributes_key_2 = "user"
-- $attributes_start = "x"
-- $attributes_pattern = "(?s)^.*y$"

-- the same behind brackets and quotes
-- _time:[2026-01-01, 2026-01-02)and(path:*)not(user:*)OR path:"none"or path:in("a:b:c")|fields path
SELECT t0.attributes[$attributes_key] AS path
FROM logs AS t0
WHERE (t0.time >= make_timestamp_ns($time_from) AND t0.time < make_timestamp_ns($time_below) AND t0.attributes[$attributes_key] <> '' AND (t0.attributes[$attributes_key_2] IS NULL OR t0.attributes[$attributes_key_2] = '') OR lower(t0.attributes[$attributes_key]) IN ($attributes, $attributes_2))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "path"
-- $time_from = 1767225600000000000
-- $time_below = 1767312000000000000
-- $attributes_key_2 = "user"
-- $attributes = "none"
-- $attributes_2 = "a:b:c"

-- keys without parentheses
-- * | stats by path, user count() as n | sort by user, path desc | top 5 by path, n
SELECT q1.c0 AS path, q1.c2 AS n, count(*) AS hits, regexp_matches(q1.c0, $attributes_pattern) AS c3
FROM (
  SELECT NULLIF(t0.attributes[$attributes_key], '') AS c0, NULLIF(t0.attributes[$attributes_key_2], '') AS c1,
    count(*) AS c2,
    regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern_2) AS c3,
    regexp_matches(NULLIF(t0.attributes[$attributes_key_2], ''), $attributes_pattern_3) AS c4
  FROM logs AS t0
  GROUP BY 1, 2
) AS q1
GROUP BY q1.c0, q1.c2
ORDER BY hits DESC, c3 DESC, q1.c0, q1.c2
LIMIT $limit;
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_key = "path"
-- $attributes_key_2 = "user"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_pattern_3 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 5

-- a clause behind keys without parentheses
-- * | uniq by user hits limit 1
SELECT NULLIF(t0.attributes[$attributes_key], '') AS user, count(*) AS hits,
  regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY c2 DESC, user
LIMIT $limit;
-- $attributes_key = "user"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 1

-- a filter as a stage, in parentheses
-- * | (path:*x) | fields path
SELECT t0.attributes[$attributes_key] AS path
FROM logs AS t0
WHERE regexp_matches(lower(t0.attributes[$attributes_key]), $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "path"
-- $attributes_pattern = "(?s)^.*x$"

-- aliases without as, blanks before commas
-- * | stats count() n , count(user) users | fields n , users
SELECT count(*) AS n,
  count(CASE WHEN t0.attributes[$attributes_key] <> '' THEN TRUE ELSE NULL END) AS users
FROM logs AS t0;
-- $attributes_key = "user"
