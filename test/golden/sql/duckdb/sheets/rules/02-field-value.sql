-- the whole value, whatever the case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"

-- exactly
-- level:=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"

-- exactly, with an equals sign
-- level = "ERROR" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ERROR"

-- not exactly keeps what has no level
-- level:!=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level IS DISTINCT FROM $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"

-- on the text field a value is a word
-- content:payment | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "payment"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])payment(?:[^0-9A-Za-z_\\x{80}…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])payment(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a number is found by any spelling, a text by its own
-- n:1.50 | fields n
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE t0.attributes[$1] >= $2
  AND t0.attributes[$1] < $3
  AND lower(t0.attributes[$1]) = $4
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "1.50"
-- $3 = "1.51"
-- $4 = "1.50"

-- a number and a text of it
-- n:2 | fields n
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE t0.attributes[$1] >= $2
  AND t0.attributes[$1] < $3
  AND lower(t0.attributes[$1]) = $4
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "2"
-- $3 = "3"
-- $4 = "2"

-- a bool and its text
-- ok:TRUE | fields ok
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE (t0.attributes[$1] >= $2 AND t0.attributes[$1] < $3 OR t0.attributes[$1] >= $4 AND t0.attributes[$1] < $5)
  AND lower(t0.attributes[$1]) = $6
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ok"
-- $2 = "t"
-- $3 = "u"
-- $4 = "T"
-- $5 = "U"
-- $6 = "true"

-- the value starts so
-- pod:api* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE starts_with(lower(t0.pod), $1)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "api"

-- the value ends so: a full scan
-- pod:*-x | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE regexp_matches(lower(t0.pod), $1)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "(?s)^.*-x$"

-- stars inside and at both ends
-- pod:a*-7f-* or pod:*b* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE (regexp_matches(lower(t0.pod), $1) OR contains(lower(t0.pod), $2))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "(?s)^a.*-7f-.*$"
-- $2 = "b"

-- a word starts so
-- content:pay* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "pay"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])pay"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])pay"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- missing and empty are one
-- level:"" | fields pod, level
SELECT t0.pod, t0.level
FROM logs AS t0
WHERE (t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;

-- any value
-- level:* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.level <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- any value, quoted
-- star:"*" | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.attributes[$1] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "star"

-- a quoted star among other characters is itself
-- content:"*" | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.content <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- comparisons, with and without a colon
-- n:>1.5 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$1], $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "(?s)^[-+.0-9IiNn]"

-- comparison without a colon
-- n>=1.5 n<2 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$1], $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "(?s)^[-+.0-9IiNn]"

-- a regular expression, anywhere and with its case
-- level:~"err|FATAL" | fields level
SELECT t0.level
FROM logs AS t0
WHERE regexp_matches(t0.level, $1)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "(?s)err|FATAL"

-- a list
-- level:in(error, "fatal error") | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1, $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "fatal error"

-- a range
-- n:range[1.5, 2] | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$1], $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "(?s)^[-+.0-9IiNn]"

-- a network
-- ip:ipv4_range("10.0.0.0/8") | fields ip
-- above: scan: `ipv4-range` is read one by one
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ip"

-- an alias of a field
-- _msg:payment _time:<2026-01-01T00:00:02Z | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time < make_timestamp_ns($1)
  AND (t0.attributes[$2] >= $3 AND t0.attributes[$2] < $4 OR t0.attributes[$2] >= $5 AND t0.attributes[$2] < $6)
  AND lower(t0.attributes[$2]) = $7
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = 1767225602000000000
-- $2 = "_msg"
-- $3 = "p"
-- $4 = "q"
-- $5 = "P"
-- $6 = "Q"
-- $7 = "payment"

-- a value is a word or phrase, with its case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE contains(t0.level, $1)
  AND (regexp_matches(t0.level, $2) OR regexp_matches(t0.level, $3) AND regexp_matches(t0.level, $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- exactly
-- level:="fatal error" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $1
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "fatal error"
