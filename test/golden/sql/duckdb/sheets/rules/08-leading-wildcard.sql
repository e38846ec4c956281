-- it works, and says so
-- pod:*-1 | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE regexp_matches(lower(t0.pod), $1)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2;
-- $1 = "(?s)^.*-1$"
-- $2 = 10

-- on the text
-- *wo | limit 10 | fields content
SELECT t0.content
FROM logs AS t0
WHERE regexp_matches(lower(t0.content), $1)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2;
-- $1 = "(?s)^.*wo$"
-- $2 = 10

-- no star in front, no warning
-- pod:web* | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE starts_with(lower(t0.pod), $1)
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2;
-- $1 = "web"
-- $2 = 10
