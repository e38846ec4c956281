-- it works, and says so
-- pod:*-1 | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE regexp_matches(lower(t0.pod), $pod_pattern)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $pod_pattern = "(?s)^.*-1$"
-- $limit = 10

-- on the text
-- *wo | limit 10 | fields content
SELECT t0.content
FROM logs AS t0
WHERE regexp_matches(lower(t0.content), $content_pattern)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $content_pattern = "(?s)^.*wo$"
-- $limit = 10

-- no star in front, no warning
-- pod:web* | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE starts_with(lower(t0.pod), $pod_start)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $limit;
-- $pod_start = "web"
-- $limit = 10
