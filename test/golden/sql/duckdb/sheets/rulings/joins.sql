-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
) AS q2 JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE contains(t0.attributes[$attributes_key_3], $attributes_part)
    AND (regexp_matches(t0.attributes[$attributes_key_3], $attributes_pattern) OR regexp_matches(t0.attributes[$attributes_key_3], $attributes_pattern_2) AND regexp_matches(t0.attributes[$attributes_key_3], $attributes_pattern_3))
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE contains(t1.attributes[$attributes_key_3], $attributes_part_2)
    AND (regexp_matches(t1.attributes[$attributes_key_3], $attributes_pattern_4) OR regexp_matches(t1.attributes[$attributes_key_3], $attributes_pattern_5) AND regexp_matches(t1.attributes[$attributes_key_3], $attributes_pattern_6))
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_part = "l"
-- $attributes_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])l(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- $attributes_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])l(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $attributes_key_4 = "w"
-- $attributes_part_2 = "r"
-- $attributes_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])r(?:[^0-9A-Za-z_\\x{80}-\\x{1…
-- $attributes_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])r(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS k, q2.c1 AS v, q3.c1 AS w
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
) AS q2 RIGHT JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS k, q2.c1 AS v, q3.c1 AS w
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
) AS q2 FULL JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS k2, q2.c2 AS v, q3.c2 AS w, NULLIF(q2.c2, '') AS c4, NULLIF(q3.c2, '') AS c5,
  q2.c7 AS c6, q2.c9 AS c7, q3.c7 AS c8, q3.c9
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1,
    t0.attributes[$attributes_key_3] AS c2, TRUE AS c3, NULLIF(t0.attributes[$attributes_key], '') AS c4,
    NULLIF(t0.attributes[$attributes_key_2], '') AS c5, t0.time AS c6, epoch_ns(t0.time) AS c7,
    t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_4] >= $attributes_from AND t0.attributes[$attributes_key_4] < $attributes_below OR t0.attributes[$attributes_key_4] >= $attributes_from_2 AND t0.attributes[$attributes_key_4] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_4]) = $attributes
) AS q2 JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_2] AS c1,
    t1.attributes[$attributes_key_5] AS c2, TRUE AS c3, NULLIF(t1.attributes[$attributes_key], '') AS c4,
    NULLIF(t1.attributes[$attributes_key_2], '') AS c5, t1.time AS c6, epoch_ns(t1.time) AS c7,
    t1.seq AS c8, t1.seq AS c9
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_4] >= $attributes_from_3 AND t1.attributes[$attributes_key_4] < $attributes_below_3 OR t1.attributes[$attributes_key_4] >= $attributes_from_4 AND t1.attributes[$attributes_key_4] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_4]) = $attributes_2
) AS q3 ON q2.c4 IS NOT DISTINCT FROM q3.c4 AND q2.c5 IS NOT DISTINCT FROM q3.c5
ORDER BY c4, c5, q2.c6 DESC, q2.c8 DESC, q3.c6 DESC, q3.c8 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "k2"
-- $attributes_key_3 = "v"
-- $attributes_key_4 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_5 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
SELECT q2.c0 AS v, q3.c1 AS w, NULLIF(q2.c0, '') AS c2, NULLIF(q3.c1, '') AS c3, q2.c5 AS c4, q2.c7 AS c5,
  q3.c5 AS c6, q3.c7
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key_2], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5,
    t0.seq AS c6, t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
) AS q2 JOIN (
  SELECT t1.attributes[$attributes_key_4] AS c0, t1.attributes[$attributes_key_5] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key_4], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5,
    t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, c3, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "v"
-- $attributes_key_2 = "nowhere"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "k"
-- $attributes_key_5 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
SELECT q2.c0 AS n, q3.c1 AS w, NULLIF(q3.c1, '') AS c2, q2.c4 AS c3, q2.c6 AS c4, q3.c5, q3.c7 AS c6
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, TRUE AS c1, NULLIF(t0.attributes[$attributes_key], '') AS c2,
    t0.time AS c3, epoch_ns(t0.time) AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_2] >= $attributes_from AND t0.attributes[$attributes_key_2] < $attributes_below OR t0.attributes[$attributes_key_2] >= $attributes_from_2 AND t0.attributes[$attributes_key_2] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_2]) = $attributes
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_3] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_2] >= $attributes_from_3 AND t1.attributes[$attributes_key_2] < $attributes_below_3 OR t1.attributes[$attributes_key_2] >= $attributes_from_4 AND t1.attributes[$attributes_key_2] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_2]) = $attributes_2
) AS q3 ON q2.c2 IS NOT DISTINCT FROM q3.c3
ORDER BY c2, q2.c3 DESC, q2.c5 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "side"
-- $attributes_from = "n"
-- $attributes_below = "o"
-- $attributes_from_2 = "N"
-- $attributes_below_2 = "O"
-- $attributes = "n"
-- $attributes_key_3 = "w"
-- $attributes_from_3 = "m"
-- $attributes_below_3 = "n"
-- $attributes_from_4 = "M"
-- $attributes_below_4 = "N"
-- $attributes_2 = "m"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
SELECT q2.c0 AS k, q2.c1 AS c, q3.c1 AS d, q3.c0 AS c3
FROM (
  SELECT NULLIF(t0.attributes[$attributes_key], '') AS c0, count(*) AS c1, TRUE AS c2,
    regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c3
  FROM logs AS t0
  WHERE lower(t0.attributes[$attributes_key_2]) IN ($attributes, $attributes_2)
  GROUP BY 1
) AS q2 LEFT JOIN (
  SELECT NULLIF(t1.attributes[$attributes_key], '') AS c0, count(*) AS c1, TRUE AS c2,
    regexp_matches(NULLIF(t1.attributes[$attributes_key], ''), $attributes_pattern_2) AS c3
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_2] >= $attributes_from AND t1.attributes[$attributes_key_2] < $attributes_below OR t1.attributes[$attributes_key_2] >= $attributes_from_2 AND t1.attributes[$attributes_key_2] < $attributes_below_2)
    AND lower(t1.attributes[$attributes_key_2]) = $attributes_3
  GROUP BY 1
) AS q3 ON q2.c0 IS NOT DISTINCT FROM q3.c0
ORDER BY q2.c0, q3.c0;
-- $attributes_key = "k"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_key_2 = "side"
-- $attributes = "l"
-- $attributes_2 = "r"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes_from = "r"
-- $attributes_below = "s"
-- $attributes_from_2 = "R"
-- $attributes_below_2 = "S"
-- $attributes_3 = "r"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
    AND (t0.attributes[$attributes_key] IS NULL OR t0.attributes[$attributes_key] = '')
) AS q2 JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
    AND t0.attributes[$attributes_key] <> ''
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: sort: it orders texts that are numbers or times by their characters
SELECT CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END AS k, q2.c1 AS v, q3.c1 AS w
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
) AS q2 FULL JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_3 AND t1.attributes[$attributes_key_3] < $attributes_below_3 OR t1.attributes[$attributes_key_3] >= $attributes_from_4 AND t1.attributes[$attributes_key_3] < $attributes_below_4)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_2
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
WHERE (CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END IS NULL OR CASE WHEN q2.c2 IS NULL THEN q3.c0 ELSE q2.c0 END = '')
ORDER BY q2.c2 IS NULL, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_key_4 = "w"
-- $attributes_from_3 = "r"
-- $attributes_below_3 = "s"
-- $attributes_from_4 = "R"
-- $attributes_below_4 = "S"
-- $attributes_2 = "r"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
SELECT q2.c0 AS k, q2.c1 AS v, q3.c1 AS w, NULLIF(q2.c1, '') AS c3, NULLIF(q3.c1, '') AS c4, q2.c5,
  q2.c7 AS c6, q3.c5 AS c7, q3.c7 AS c8
FROM (
  SELECT t0.attributes[$attributes_key] AS c0, t0.attributes[$attributes_key_2] AS c1, TRUE AS c2,
    NULLIF(t0.attributes[$attributes_key], '') AS c3, t0.time AS c4, epoch_ns(t0.time) AS c5, t0.seq AS c6,
    t0.seq AS c7
  FROM logs AS t0
  WHERE (t0.attributes[$attributes_key_3] >= $attributes_from AND t0.attributes[$attributes_key_3] < $attributes_below OR t0.attributes[$attributes_key_3] >= $attributes_from_2 AND t0.attributes[$attributes_key_3] < $attributes_below_2)
    AND lower(t0.attributes[$attributes_key_3]) = $attributes
    AND ((t0.attributes[$attributes_key] >= $attributes_from_3 AND t0.attributes[$attributes_key] < $attributes_below_3 OR t0.attributes[$attributes_key] >= $attributes_from_4 AND t0.attributes[$attributes_key] < $attributes_below_4) AND lower(t0.attributes[$attributes_key]) = $attributes_2 OR t0.attributes[$attributes_key] IS NULL OR t0.attributes[$attributes_key] = '')
) AS q2 LEFT JOIN (
  SELECT t1.attributes[$attributes_key] AS c0, t1.attributes[$attributes_key_4] AS c1, TRUE AS c2,
    NULLIF(t1.attributes[$attributes_key], '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6,
    t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.attributes[$attributes_key_3] >= $attributes_from_5 AND t1.attributes[$attributes_key_3] < $attributes_below_5 OR t1.attributes[$attributes_key_3] >= $attributes_from_6 AND t1.attributes[$attributes_key_3] < $attributes_below_6)
    AND lower(t1.attributes[$attributes_key_3]) = $attributes_3
) AS q3 ON q2.c3 IS NOT DISTINCT FROM q3.c3
ORDER BY c3, c4, q2.c4 DESC, q2.c6 DESC, q3.c4 DESC, q3.c6 DESC;
-- $attributes_key = "k"
-- $attributes_key_2 = "v"
-- $attributes_key_3 = "side"
-- $attributes_from = "l"
-- $attributes_below = "m"
-- $attributes_from_2 = "L"
-- $attributes_below_2 = "M"
-- $attributes = "l"
-- $attributes_from_3 = "z"
-- $attributes_below_3 = "{"
-- $attributes_from_4 = "Z"
-- $attributes_below_4 = "["
-- $attributes_2 = "z"
-- $attributes_key_4 = "w"
-- $attributes_from_5 = "r"
-- $attributes_below_5 = "s"
-- $attributes_from_6 = "R"
-- $attributes_below_6 = "S"
-- $attributes_3 = "r"
