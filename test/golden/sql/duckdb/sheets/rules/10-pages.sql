-- the first page
-- * | sort by (n asc) | offset 0 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c1, NULLIF(t0.attributes[$1], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "n"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 2

-- the second page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c1, NULLIF(t0.attributes[$1], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "n"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 4

-- the last page
-- * | sort by (n asc) | offset 4 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c1, NULLIF(t0.attributes[$1], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "n"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 6

-- beyond the last page
-- * | sort by (n asc) | offset 6 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c1, NULLIF(t0.attributes[$1], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "n"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 8

-- pages without a sort
-- * | offset 2 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $1
OFFSET $2;
-- $1 = 2
-- $2 = 2

-- a plan for a page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
SELECT t0.content, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c1, NULLIF(t0.attributes[$1], '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "n"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 4
