-- a quoted name
-- "a b":x | fields path
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE lower(t0.attributes[{p2:String}]) = {p3:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "path"
-- {p2:String} = "a b"
-- {p3:String} = "x"

-- escapes
-- content:"say \"hi\"\n\t\u00fcn\u00ef" | fields path
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
  AND ((length(t0.content) = lengthUTF8(t0.content)) OR match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p3:String}) OR match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "path"
-- {p2:String} = "(?s)(?:^|[^0-9A-Za-z_])say \"hi\"\n\tünï(?:[^0-9A-Za-z_]|$)"
-- {p3:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])say \"hi\"\n\tünï(?:[^0-9A-Za…
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a raw text
-- path:`a:b:c` | fields user
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE lower(t0.attributes[{p2:String}]) = {p3:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "user"
-- {p2:String} = "path"
-- {p3:String} = "a:b:c"

-- a blank behind the colon
-- path: "a,x" | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.attributes[{p1:String}]) = {p2:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "path"
-- {p2:String} = "a,x"

-- a keyword as a field and as a word
-- limit:7 plain | fields limit
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE lower(t0.attributes[{p1:String}]) = {p2:String}
  AND match(lower(t0.content), {p3:String})
  AND ((length(t0.content) = lengthUTF8(t0.content)) OR match(lower(t0.content), {p4:String}) OR match(lower(t0.content), {p5:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "limit"
-- {p2:String} = "7"
-- {p3:String} = "(?s)(?:^|[^0-9A-Za-z_])pla[iİ]n(?:[^0-9A-Za-z_]|$)"
-- {p4:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])pla[iİ]n(?:[^0-9A-Za-z_\\x{80…
-- {p5:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- operators and filters behind parentheses
-- (path:"a,x")or(user:x*)and(user:*y)|fields path
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE (lower(t0.attributes[{p1:String}]) = {p2:String} OR startsWith(lower(t0.attributes[{p3:String}]), {p4:String}) AND match(lower(t0.attributes[{p3:String}]), {p5:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "path"
-- {p2:String} = "a,x"
-- {p3:String} = "user"
-- {p4:String} = "x"
-- {p5:String} = "(?s)^.*y$"

-- the same behind brackets and quotes
-- _time:[2026-01-01, 2026-01-02)and(path:*)not(user:*)OR path:"none"or path:in("a:b:c")|fields path
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE (t0.time >= fromUnixTimestamp64Nano({p2:Int64}) AND t0.time < fromUnixTimestamp64Nano({p3:Int64}) AND t0.attributes[{p1:String}] <> '' AND t0.attributes[{p4:String}] = '' OR lower(t0.attributes[{p1:String}]) IN ({p5:String}, {p6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "path"
-- {p2:Int64} = 1767225600000000000
-- {p3:Int64} = 1767312000000000000
-- {p4:String} = "user"
-- {p5:String} = "none"
-- {p6:String} = "a:b:c"

-- keys without parentheses
-- * | stats by path, user count() as n | sort by user, path desc | top 5 by path, n
SELECT q1.c0, q1.c2 AS c1, count(*) AS c2, match(q1.c0, {p1:String}) AS c3
FROM (
  SELECT nullIf(t0.attributes[{p2:String}], '') AS c0, nullIf(t0.attributes[{p3:String}], '') AS c1, count(*) AS c2, match(nullIf(t0.attributes[{p2:String}], ''), {p4:String}) AS c3, match(nullIf(t0.attributes[{p3:String}], ''), {p5:String}) AS c4
  FROM logs AS t0
  GROUP BY t0.attributes[{p2:String}], t0.attributes[{p3:String}]
) AS q1
GROUP BY q1.c0, q1.c2
ORDER BY c2 DESC, c3 DESC, q1.c0, q1.c2
LIMIT {p6:Int64};
-- {p1:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {p2:String} = "path"
-- {p3:String} = "user"
-- {p4:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {p5:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {p6:Int64} = 5

-- a clause behind keys without parentheses
-- * | uniq by user hits limit 1
SELECT nullIf(t0.attributes[{p1:String}], '') AS c0, count(*) AS c1, match(nullIf(t0.attributes[{p1:String}], ''), {p2:String}) AS c2
FROM logs AS t0
GROUP BY t0.attributes[{p1:String}]
ORDER BY c2 DESC, c0
LIMIT {p3:Int64};
-- {p1:String} = "user"
-- {p2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {p3:Int64} = 1

-- a filter as a stage, in parentheses
-- * | (path:*x) | fields path
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE match(lower(t0.attributes[{p1:String}]), {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "path"
-- {p2:String} = "(?s)^.*x$"

-- aliases without as, blanks before commas
-- * | stats count() n , count(user) users | fields n , users
SELECT count(*) AS c0, count(CASE WHEN if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) <> '' THEN true ELSE NULL END) AS c1
FROM logs AS t0;
-- {p1:String} = "user"
