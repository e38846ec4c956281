-- a quoted name
-- "a b":x | fields path
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS path
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key_2:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "path"
-- {attributes_key_2:String} = "a b"
-- {attributes:String} = "x"

-- escapes
-- content:"say \"hi\"\n\t\u00fcn\u00ef" | fields path
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS path
FROM logs AS t0
WHERE match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {content_pattern_2:String}) OR match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "path"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])say \"hi\"\n\tünï(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])say \"hi\"\n\tünï(?:[^0-9A-Za…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a raw text
-- path:`a:b:c` | fields user
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS user
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key_2:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "user"
-- {attributes_key_2:String} = "path"
-- {attributes:String} = "a:b:c"

-- a blank behind the colon
-- path: "a,x" | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "path"
-- {attributes:String} = "a,x"

-- a keyword as a field and as a word
-- limit:7 plain | fields limit
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `limit`
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
  AND match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "limit"
-- {attributes:String} = "7"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])pla[iİ]n(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])pla[iİ]n(?:[^0-9A-Za-z_\\x{80…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- operators and filters behind parentheses
-- (path:"a,x")or(user:x*)and(user:*y)|fields path
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS path
FROM logs AS t0
WHERE (lower(t0.attributes[{attributes_key:String}]) = {attributes:String} OR startsWith(lower(t0.attributes[{attributes_key_2:String}]), {attributes_start:String}) AND match(lower(t0.attributes[{attributes_key_2:String}]), {attributes_pattern:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "path"
-- {attributes:String} = "a,x"
-- {attributes_key_2:String} = "user"
-- {attributes_start:String} = "x"
-- {attributes_pattern:String} = "(?s)^.*y$"

-- the same behind brackets and quotes
-- _time:[2026-01-01, 2026-01-02)and(path:*)not(user:*)OR path:"none"or path:in("a:b:c")|fields path
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS path
FROM logs AS t0
WHERE (t0.time >= fromUnixTimestamp64Nano({time_from:Int64}) AND t0.time < fromUnixTimestamp64Nano({time_below:Int64}) AND t0.attributes[{attributes_key:String}] <> '' AND t0.attributes[{attributes_key_2:String}] = '' OR lower(t0.attributes[{attributes_key:String}]) IN ({attributes:String}, {attributes_2:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "path"
-- {time_from:Int64} = 1767225600000000000
-- {time_below:Int64} = 1767312000000000000
-- {attributes_key_2:String} = "user"
-- {attributes:String} = "none"
-- {attributes_2:String} = "a:b:c"

-- keys without parentheses
-- * | stats by path, user count() as n | sort by user, path desc | top 5 by path, n
SELECT q1.c0 AS path, q1.c2 AS n, count(*) AS hits, match(q1.c0, {attributes_pattern:String}) AS c3
FROM (
  SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS c0,
    nullIf(t0.attributes[{attributes_key_2:String}], '') AS c1, count(*) AS c2,
    match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern_2:String}) AS c3,
    match(nullIf(t0.attributes[{attributes_key_2:String}], ''), {attributes_pattern_3:String}) AS c4
  FROM logs AS t0
  GROUP BY t0.attributes[{attributes_key:String}], t0.attributes[{attributes_key_2:String}]
) AS q1
GROUP BY q1.c0, q1.c2
ORDER BY hits DESC, c3 DESC, q1.c0, q1.c2
LIMIT {limit:Int64};
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_key:String} = "path"
-- {attributes_key_2:String} = "user"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_pattern_3:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 5

-- a clause behind keys without parentheses
-- * | uniq by user hits limit 1
SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS user, count(*) AS hits,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c2
FROM logs AS t0
GROUP BY t0.attributes[{attributes_key:String}]
ORDER BY c2 DESC, user
LIMIT {limit:Int64};
-- {attributes_key:String} = "user"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 1

-- a filter as a stage, in parentheses
-- * | (path:*x) | fields path
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS path
FROM logs AS t0
WHERE match(lower(t0.attributes[{attributes_key:String}]), {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "path"
-- {attributes_pattern:String} = "(?s)^.*x$"

-- aliases without as, blanks before commas
-- * | stats count() n , count(user) users | fields n , users
SELECT count(*) AS n,
  count(CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN true ELSE NULL END) AS users
FROM logs AS t0;
-- {attributes_key:String} = "user"
