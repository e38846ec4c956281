-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
SELECT q2.c0, q2.c1, q3.c1 AS c2, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
) AS q2 JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0, q2.c1, q3.c1 AS c2, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0, q2.c1, q3.c1 AS c2, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE contains(t0.attributes[$3], $4)
    AND (regexp_matches(t0.attributes[$3], $5) OR regexp_matches(t0.attributes[$3], $6) AND regexp_matches(t0.attributes[$3], $7))
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$8] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE contains(t1.attributes[$3], $9)
    AND (regexp_matches(t1.attributes[$3], $10) OR regexp_matches(t1.attributes[$3], $11) AND regexp_matches(t1.attributes[$3], $12))
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])l(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- $6 = "(?s)(?:^|[^0-9A-Za-z_])l(?:[^0-9A-Za-z_]|$)"
-- $7 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $8 = "w"
-- $9 = "r"
-- $10 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])r(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- $11 = "(?s)(?:^|[^0-9A-Za-z_])r(?:[^0-9A-Za-z_]|$)"
-- $12 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS c0, q2.c1, q3.c1 AS c2
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
) AS q2 RIGHT JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS c0, q2.c1, q3.c1 AS c2
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
) AS q2 FULL JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
SELECT q2.c0, q2.c1, q2.c2, q3.c2 AS c3, NULLIF(q2.c2, '') AS c4, NULLIF(q3.c2, '') AS c5, q2.c7 AS c6, q2.c9 AS c7, q3.c7 AS c8, q3.c9
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, t0.attributes[$3] AS c2, TRUE AS c3, NULLIF(t0.attributes[$1], '') AS c4, NULLIF(t0.attributes[$2], '') AS c5, t0.time AS c6, epoch_ns(t0.time) AS c7, t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE (t0.attributes[$4] >= $5 AND t0.attributes[$4] < $6 OR t0.attributes[$4] >= $7 AND t0.attributes[$4] < $8)
    AND lower(t0.attributes[$4]) = $9
) AS q2 JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$2] AS c1, t1.attributes[$10] AS c2, TRUE AS c3, NULLIF(t1.attributes[$1], '') AS c4, NULLIF(t1.attributes[$2], '') AS c5, t1.time AS c6, epoch_ns(t1.time) AS c7, t1.seq AS c8, t1.seq AS c9
  FROM logs AS t1
  WHERE (t1.attributes[$4] >= $11 AND t1.attributes[$4] < $12 OR t1.attributes[$4] >= $13 AND t1.attributes[$4] < $14)
    AND lower(t1.attributes[$4]) = $15
) AS q3 ON q2.c4 IS NOT DISTINCT FROM q3.c4 AND q2.c5 IS NOT DISTINCT FROM q3.c5
ORDER BY c4, c5, q2.c6 DESC, q2.c8 DESC, q3.c6 DESC, q3.c8 DESC;
-- $1 = "k"
-- $2 = "k2"
-- $3 = "v"
-- $4 = "side"
-- $5 = "l"
-- $6 = "m"
-- $7 = "L"
-- $8 = "M"
-- $9 = "l"
-- $10 = "w"
-- $11 = "r"
-- $12 = "s"
-- $13 = "R"
-- $14 = "S"
-- $15 = "r"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
SELECT q2.c0, q3.c1, NULLIF(q2.c0, '') AS c2, NULLIF(q3.c1, '') AS c3, q2.c5 AS c4, q2.c7 AS c5, q3.c5 AS c6, q3.c7
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$2], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
) AS q2 JOIN (
  SELECT t1.attributes[$9] AS c0, t1.attributes[$10] AS c1, TRUE AS c2, NULLIF(t1.attributes[$9], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $11 AND t1.attributes[$3] < $12 OR t1.attributes[$3] >= $13 AND t1.attributes[$3] < $14)
    AND lower(t1.attributes[$3]) = $15
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, c3, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "v"
-- $2 = "nowhere"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "k"
-- $10 = "w"
-- $11 = "r"
-- $12 = "s"
-- $13 = "R"
-- $14 = "S"
-- $15 = "r"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
SELECT q2.c0, q3.c1, NULLIF(q3.c1, '') AS c2, q2.c4 AS c3, q2.c6 AS c4, q3.c5, q3.c7 AS c6
FROM (
  SELECT t0.attributes[$1] AS c0, TRUE AS c1, NULLIF(t0.attributes[$1], '') AS c2, t0.time AS c3, epoch_ns(t0.time) AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
  WHERE (t0.attributes[$2] >= $3 AND t0.attributes[$2] < $4 OR t0.attributes[$2] >= $5 AND t0.attributes[$2] < $6)
    AND lower(t0.attributes[$2]) = $7
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$8] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$2] >= $9 AND t1.attributes[$2] < $10 OR t1.attributes[$2] >= $11 AND t1.attributes[$2] < $12)
    AND lower(t1.attributes[$2]) = $13
) AS q3 ON q2.c2 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, q2.c3 DESC, q2.c5 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "n"
-- $2 = "side"
-- $3 = "n"
-- $4 = "o"
-- $5 = "N"
-- $6 = "O"
-- $7 = "n"
-- $8 = "w"
-- $9 = "m"
-- $10 = "n"
-- $11 = "M"
-- $12 = "N"
-- $13 = "m"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
SELECT q2.c0, q2.c1, q3.c1 AS c2, q3.c0 AS c3
FROM (
  SELECT NULLIF(t0.attributes[$1], '') AS c0, count(*) AS c1, TRUE AS c2, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c3
  FROM logs AS t0
  WHERE lower(t0.attributes[$3]) IN ($4, $5)
  GROUP BY NULLIF(t0.attributes[$1], '')
) AS q2 LEFT JOIN (
  SELECT NULLIF(t1.attributes[$1], '') AS c0, count(*) AS c1, TRUE AS c2, regexp_matches(NULLIF(t1.attributes[$1], ''), $6) AS c3
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $7 AND t1.attributes[$3] < $8 OR t1.attributes[$3] >= $9 AND t1.attributes[$3] < $10)
    AND lower(t1.attributes[$3]) = $11
  GROUP BY NULLIF(t1.attributes[$1], '')
) AS q3 ON q2.c0 IS NOT DISTINCT FROM q3.c0
ORDER BY q2.c0, q3.c0;
-- $1 = "k"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = "side"
-- $4 = "l"
-- $5 = "r"
-- $6 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $7 = "r"
-- $8 = "s"
-- $9 = "R"
-- $10 = "S"
-- $11 = "r"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
SELECT q2.c0, q2.c1, q3.c1 AS c2, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
    AND (t0.attributes[$1] IS NULL OR t0.attributes[$1] = '')
) AS q2 JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
SELECT q2.c0, q2.c1, q3.c1 AS c2, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
    AND t0.attributes[$1] <> ''
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS c0, q2.c1, q3.c1 AS c2
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
) AS q2 FULL JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$9] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $10 AND t1.attributes[$3] < $11 OR t1.attributes[$3] >= $12 AND t1.attributes[$3] < $13)
    AND lower(t1.attributes[$3]) = $14
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
WHERE (CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END IS NULL OR CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END = '')
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "w"
-- $10 = "r"
-- $11 = "s"
-- $12 = "R"
-- $13 = "S"
-- $14 = "r"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0, q2.c1, q3.c1 AS c2, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5, q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1, TRUE AS c2, NULLIF(t0.attributes[$1], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$3] >= $4 AND t0.attributes[$3] < $5 OR t0.attributes[$3] >= $6 AND t0.attributes[$3] < $7)
    AND lower(t0.attributes[$3]) = $8
    AND ((t0.attributes[$1] >= $9 AND t0.attributes[$1] < $10 OR t0.attributes[$1] >= $11 AND t0.attributes[$1] < $12) AND lower(t0.attributes[$1]) = $13 OR t0.attributes[$1] IS NULL OR t0.attributes[$1] = '')
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$1] AS c0, t1.attributes[$14] AS c1, TRUE AS c2, NULLIF(t1.attributes[$1], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$3] >= $15 AND t1.attributes[$3] < $16 OR t1.attributes[$3] >= $17 AND t1.attributes[$3] < $18)
    AND lower(t1.attributes[$3]) = $19
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "k"
-- $2 = "v"
-- $3 = "side"
-- $4 = "l"
-- $5 = "m"
-- $6 = "L"
-- $7 = "M"
-- $8 = "l"
-- $9 = "z"
-- $10 = "{"
-- $11 = "Z"
-- $12 = "["
-- $13 = "z"
-- $14 = "w"
-- $15 = "r"
-- $16 = "s"
-- $17 = "R"
-- $18 = "S"
-- $19 = "r"
