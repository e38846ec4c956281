-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE match(t0.attributes[{attributes_key_3:String}], {attributes_pattern:String})
    AND (length(t0.attributes[{attributes_key_3:String}]) = lengthUTF8(t0.attributes[{attributes_key_3:String}]) OR match(t0.attributes[{attributes_key_3:String}], {attributes_pattern_2:String}) OR match(t0.attributes[{attributes_key_3:String}], {attributes_pattern_3:String}))
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE match(t1.attributes[{attributes_key_3:String}], {attributes_pattern_4:String})
    AND (length(t1.attributes[{attributes_key_3:String}]) = lengthUTF8(t1.attributes[{attributes_key_3:String}]) OR match(t1.attributes[{attributes_key_3:String}], {attributes_pattern_5:String}) OR match(t1.attributes[{attributes_key_3:String}], {attributes_pattern_6:String}))
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])l(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])l(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- {attributes_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {attributes_key_4:String} = "w"
-- {attributes_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])r(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])r(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- {attributes_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS k, q2.c1 AS v, q3.c1 AS w
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
) AS q2 RIGHT JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS k, q2.c1 AS v, q3.c1 AS w
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
) AS q2 FULL JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS k2, q2.c2 AS v, q3.c2 AS w, nullIf(q2.c2, '') AS c4, nullIf(q3.c2, '') AS c5,
  q2.c7 AS c6, q2.c9 AS c7, q3.c7 AS c8, q3.c9 AS c9
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS c2,
    true AS c3,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c4,
    nullIf(if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL), '') AS c5,
    t0.time AS c6, toUnixTimestamp64Nano(t0.time) AS c7, t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_4:String}]) = {attributes:String}
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_2:String}), t1.attributes[{attributes_key_2:String}], NULL) AS c1,
    if(mapContains(t1.attributes, {attributes_key_5:String}), t1.attributes[{attributes_key_5:String}], NULL) AS c2,
    true AS c3,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c4,
    nullIf(if(mapContains(t1.attributes, {attributes_key_2:String}), t1.attributes[{attributes_key_2:String}], NULL), '') AS c5,
    t1.time AS c6, toUnixTimestamp64Nano(t1.time) AS c7, t1.seq AS c8, t1.seq AS c9
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_4:String}]) = {attributes_2:String}
) AS q3 ON q2.c4 IS NOT DISTINCT FROM q3.c4 AND q2.c5 IS NOT DISTINCT FROM q3.c5
ORDER BY c4, c5, q2.c6 DESC, q2.c8 DESC, q3.c6 DESC, q3.c8 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "k2"
-- {attributes_key_3:String} = "v"
-- {attributes_key_4:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_5:String} = "w"
-- {attributes_2:String} = "r"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
SELECT q2.c0 AS v, q3.c1 AS w, nullIf(q2.c0, '') AS c2, nullIf(q3.c1, '') AS c3, q2.c5 AS c4, q2.c7 AS c5,
  q3.c5 AS c6, q3.c7 AS c7
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_5:String}), t1.attributes[{attributes_key_5:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, c3, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "v"
-- {attributes_key_2:String} = "nowhere"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "k"
-- {attributes_key_5:String} = "w"
-- {attributes_2:String} = "r"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
SELECT q2.c0 AS n, q3.c1 AS w, nullIf(q3.c1, '') AS c2, q2.c4 AS c3, q2.c6 AS c4, q3.c5 AS c5, q3.c7 AS c6
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    true AS c1,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c2,
    t0.time AS c3, toUnixTimestamp64Nano(t0.time) AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_2:String}]) = {attributes:String}
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_3:String}), t1.attributes[{attributes_key_3:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_2:String}]) = {attributes_2:String}
) AS q3 ON q2.c2 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, q2.c3 DESC, q2.c5 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "side"
-- {attributes:String} = "n"
-- {attributes_key_3:String} = "w"
-- {attributes_2:String} = "m"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
SELECT q2.c0 AS k, q2.c1 AS c, q3.c1 AS d, q3.c0 AS c3
FROM (
  SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS c0, count(*) AS c1, true AS c2,
    match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c3
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_2:String}]) IN ({attributes:String}, {attributes_2:String})
  GROUP BY t0.attributes[{attributes_key:String}]
) AS q2 LEFT JOIN (
  SELECT nullIf(t1.attributes[{attributes_key:String}], '') AS c0, count(*) AS c1, true AS c2,
    match(nullIf(t1.attributes[{attributes_key:String}], ''), {attributes_pattern_2:String}) AS c3
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_2:String}]) = {attributes_3:String}
  GROUP BY t1.attributes[{attributes_key:String}]
) AS q3 ON q2.c0 IS NOT DISTINCT FROM q3.c0
ORDER BY q2.c0, q3.c0;
-- {attributes_key:String} = "k"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_key_2:String} = "side"
-- {attributes:String} = "l"
-- {attributes_2:String} = "r"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes_3:String} = "r"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
    AND t0.attributes[{attributes_key:String}] = ''
) AS q2 JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
    AND t0.attributes[{attributes_key:String}] <> ''
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS k, q2.c1 AS v, q3.c1 AS w
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
) AS q2 FULL JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_2:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
WHERE (CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END IS NULL OR CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END = '')
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_key_4:String} = "w"
-- {attributes_2:String} = "r"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, nullIf(q2.c1, '') AS c3, nullIf(q3.c1, '') AS c4, q2.c5 AS c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL), '') AS c3,
    t0.time AS c4, toUnixTimestamp64Nano(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE lower(t0.attributes[{attributes_key_3:String}]) = {attributes:String}
    AND (lower(t0.attributes[{attributes_key:String}]) = {attributes_2:String} OR t0.attributes[{attributes_key:String}] = '')
) AS q2 LEFT JOIN (
  SELECT if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL) AS c0,
    if(mapContains(t1.attributes, {attributes_key_4:String}), t1.attributes[{attributes_key_4:String}], NULL) AS c1,
    true AS c2,
    nullIf(if(mapContains(t1.attributes, {attributes_key:String}), t1.attributes[{attributes_key:String}], NULL), '') AS c3,
    t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.attributes[{attributes_key_3:String}]) = {attributes_3:String}
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "k"
-- {attributes_key_2:String} = "v"
-- {attributes_key_3:String} = "side"
-- {attributes:String} = "l"
-- {attributes_2:String} = "z"
-- {attributes_key_4:String} = "w"
-- {attributes_3:String} = "r"
