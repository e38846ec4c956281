-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE match(t0.attributes[{p3:String}], {p4:String})
    AND ((length(t0.attributes[{p3:String}]) = lengthUTF8(t0.attributes[{p3:String}])) OR match(t0.attributes[{p3:String}], {p5:String}) OR match(t0.attributes[{p3:String}], {p6:String}))
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p7:String}), t1.attributes[{p7:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE match(t1.attributes[{p3:String}], {p8:String})
    AND ((length(t1.attributes[{p3:String}]) = lengthUTF8(t1.attributes[{p3:String}])) OR match(t1.attributes[{p3:String}], {p9:String}) OR match(t1.attributes[{p3:String}], {p10:String}))
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "(?s)(?:^|[^0-9A-Za-z_])l(?:[^0-9A-Za-z_]|$)"
-- {p5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])l(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- {p6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p7:String} = "w"
-- {p8:String} = "(?s)(?:^|[^0-9A-Za-z_])r(?:[^0-9A-Za-z_]|$)"
-- {p9:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])r(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- {p10:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS c0, q2.c1 AS c1, q3.c1 AS c2
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
) AS q2 RIGHT JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS c0, q2.c1 AS c1, q3.c1 AS c2
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
) AS q2 FULL JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q2.c2 AS c2, q3.c2 AS c3, nullIf(q2.c2, '') AS c4, nullIf(q3.c2, '') AS c5, q2.c7 AS c6, q2.c9 AS c7, q3.c7 AS c8, q3.c9 AS c9
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, if(mapContains(t0.attributes, {p3:String}), t0.attributes[{p3:String}], NULL) AS c2, true AS c3, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c4, nullIf(if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL), '') AS c5, t0.time AS c6, toUnixTimestamp64Nano(t0.time) AS c7, t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE lower(t0.attributes[{p4:String}]) = {p5:String}
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p2:String}), t1.attributes[{p2:String}], NULL) AS c1, if(mapContains(t1.attributes, {p6:String}), t1.attributes[{p6:String}], NULL) AS c2, true AS c3, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c4, nullIf(if(mapContains(t1.attributes, {p2:String}), t1.attributes[{p2:String}], NULL), '') AS c5, t1.time AS c6, toUnixTimestamp64Nano(t1.time) AS c7, t1.seq AS c8, t1.seq AS c9
  FROM logs AS t1
  WHERE lower(t1.attributes[{p4:String}]) = {p7:String}
) AS q3 ON q2.c4 IS NOT DISTINCT FROM q3.c4 AND q2.c5 IS NOT DISTINCT FROM q3.c5
ORDER BY c4, c5, q2.c6 DESC, q2.c8 DESC, q3.c6 DESC, q3.c8 DESC;
-- {p1:String} = "k"
-- {p2:String} = "k2"
-- {p3:String} = "v"
-- {p4:String} = "side"
-- {p5:String} = "l"
-- {p6:String} = "w"
-- {p7:String} = "r"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
SELECT q2.c0 AS c0, q3.c1 AS c1, nullIf(q2.c0, '') AS c2, nullIf(q3.c1, '') AS c3, q2.c5 AS c4, q2.c7 AS c5, q3.c5 AS c6, q3.c7 AS c7
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c0, if(mapContains(t1.attributes, {p6:String}), t1.attributes[{p6:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p7:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, c3, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "v"
-- {p2:String} = "nowhere"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "k"
-- {p6:String} = "w"
-- {p7:String} = "r"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
SELECT q2.c0 AS c0, q3.c1 AS c1, nullIf(q3.c1, '') AS c2, q2.c4 AS c3, q2.c6 AS c4, q3.c5 AS c5, q3.c7 AS c6
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, true AS c1, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c2, t0.time AS c3, toUnixTimestamp64Nano(t0.time) AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
  WHERE lower(t0.attributes[{p2:String}]) = {p3:String}
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p4:String}), t1.attributes[{p4:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p2:String}]) = {p5:String}
) AS q3 ON q2.c2 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, q2.c3 DESC, q2.c5 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "n"
-- {p2:String} = "side"
-- {p3:String} = "n"
-- {p4:String} = "w"
-- {p5:String} = "m"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, q3.c0 AS c3
FROM (
  SELECT nullIf(t0.attributes[{p1:String}], '') AS c0, count(*) AS c1, true AS c2, match(nullIf(t0.attributes[{p1:String}], ''), {p2:String}) AS c3
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) IN ({p4:String}, {p5:String})
  GROUP BY t0.attributes[{p1:String}]
) AS q2 LEFT JOIN (
  SELECT nullIf(t1.attributes[{p1:String}], '') AS c0, count(*) AS c1, true AS c2, match(nullIf(t1.attributes[{p1:String}], ''), {p6:String}) AS c3
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p7:String}
  GROUP BY t1.attributes[{p1:String}]
) AS q3 ON q2.c0 IS NOT DISTINCT FROM q3.c0
ORDER BY q2.c0, q3.c0;
-- {p1:String} = "k"
-- {p2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "r"
-- {p6:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {p7:String} = "r"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
    AND t0.attributes[{p1:String}] = ''
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
    AND t0.attributes[{p1:String}] <> ''
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS c0, q2.c1 AS c1, q3.c1 AS c2
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
) AS q2 FULL JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p5:String}), t1.attributes[{p5:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p6:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
WHERE (CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END IS NULL OR CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END = '')
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "w"
-- {p6:String} = "r"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS c0, q2.c1 AS c1, q3.c1 AS c2, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0, if(mapContains(t0.attributes, {p2:String}), t0.attributes[{p2:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL), '') AS c3, t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{p3:String}]) = {p4:String}
    AND (lower(t0.attributes[{p1:String}]) = {p5:String} OR t0.attributes[{p1:String}] = '')
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL) AS c0, if(mapContains(t1.attributes, {p6:String}), t1.attributes[{p6:String}], NULL) AS c1, true AS c2, nullIf(if(mapContains(t1.attributes, {p1:String}), t1.attributes[{p1:String}], NULL), '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{p3:String}]) = {p7:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {p1:String} = "k"
-- {p2:String} = "v"
-- {p3:String} = "side"
-- {p4:String} = "l"
-- {p5:String} = "z"
-- {p6:String} = "w"
-- {p7:String} = "r"
