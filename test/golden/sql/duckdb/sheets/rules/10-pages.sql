-- the first page
-- * | sort by (n asc) | offset 0 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c1,
  NULLIF(t0.attributes[$attributes_key], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "n"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 2

-- the second page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c1,
  NULLIF(t0.attributes[$attributes_key], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "n"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 4

-- the last page
-- * | sort by (n asc) | offset 4 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c1,
  NULLIF(t0.attributes[$attributes_key], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "n"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 6

-- beyond the last page
-- * | sort by (n asc) | offset 6 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c1,
  NULLIF(t0.attributes[$attributes_key], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "n"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 8

-- pages without a sort
-- * | offset 2 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit
OFFSET $offset;
-- $limit = 2
-- $offset = 2

-- a plan for a page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$attributes_key], ''), $attributes_pattern) AS c1,
  NULLIF(t0.attributes[$attributes_key], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $attributes_key = "n"
-- $attributes_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $limit = 4
