-- the first page
-- * | sort by (n asc) | offset 0 | limit 2 | fields content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- the second page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- the last page
-- * | sort by (n asc) | offset 4 | limit 2 | fields content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- beyond the last page
-- * | sort by (n asc) | offset 6 | limit 2 | fields content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- pages without a sort
-- * | offset 2 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $1::bigint
OFFSET $2::bigint;
-- $1 limit = 2
-- $2 offset = 2

-- a plan for a page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
