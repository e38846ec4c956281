-- it works, and says so
-- pod:*-1 | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE match(lower(t0.pod), {pod_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {pod_pattern:String} = "(?s)^.*-1$"
-- {limit:Int64} = 10

-- on the text
-- *wo | limit 10 | fields content
SELECT t0.content
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {content_pattern:String} = "(?s)^.*wo$"
-- {limit:Int64} = 10

-- no star in front, no warning
-- pod:web* | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE startsWith(lower(t0.pod), {pod_start:String})
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {pod_start:String} = "web"
-- {limit:Int64} = 10
