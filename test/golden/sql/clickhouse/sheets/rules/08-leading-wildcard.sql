-- it works, and says so
-- pod:*-1 | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE match(lower(t0.pod), {p1:String})
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {p2:Int64};
-- {p1:String} = "(?s)^.*-1$"
-- {p2:Int64} = 10

-- on the text
-- *wo | limit 10 | fields content
SELECT t0.content
FROM logs AS t0
WHERE match(lower(t0.content), {p1:String})
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {p2:Int64};
-- {p1:String} = "(?s)^.*wo$"
-- {p2:Int64} = 10

-- no star in front, no warning
-- pod:web* | limit 10 | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE startsWith(lower(t0.pod), {p1:String})
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {p2:Int64};
-- {p1:String} = "web"
-- {p2:Int64} = 10
