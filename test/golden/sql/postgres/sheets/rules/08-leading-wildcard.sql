-- it works, and says so
-- pod:*-1 | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE lower(t0.pod) ~ $1::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 pod_pattern = "(?s)^.*-1$"
-- $2 limit = 10

-- on the text
-- *wo | limit 10 | fields content
SELECT t0.content
FROM logs AS t0
WHERE lower(t0.content) ~ $1::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 content_pattern = "(?s)^.*wo$"
-- $2 limit = 10

-- no star in front, no warning
-- pod:web* | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.pod ILIKE $1::text
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 pod_pattern = "web%"
-- $2 limit = 10
