-- the whole value, whatever the case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"

-- exactly
-- level:=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"

-- exactly, with an equals sign
-- level = "ERROR" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "ERROR"

-- not exactly keeps what has no level
-- level:!=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level IS DISTINCT FROM $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"

-- on the text field a value is a word
-- content:payment | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "payment"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])payment(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])payment(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a number is found by any spelling, a text by its own
-- n:1.50 | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_from = "1.50"
-- $attributes_below = "1.51"
-- $attributes = "1.50"

-- a number and a text of it
-- n:2 | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE t0.attributes[$attributes_key] >= $attributes_from
  AND t0.attributes[$attributes_key] < $attributes_below
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_from = "2"
-- $attributes_below = "3"
-- $attributes = "2"

-- a bool and its text
-- ok:TRUE | fields ok
SELECT t0.attributes[$attributes_key] AS ok
FROM logs AS t0
WHERE (t0.attributes[$attributes_key] >= $attributes_from AND t0.attributes[$attributes_key] < $attributes_below OR t0.attributes[$attributes_key] >= $attributes_from_2 AND t0.attributes[$attributes_key] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "ok"
-- $attributes_from = "t"
-- $attributes_below = "u"
-- $attributes_from_2 = "T"
-- $attributes_below_2 = "U"
-- $attributes = "true"

-- the value starts so
-- pod:api* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE starts_with(lower(t0.pod), $pod_start)
ORDER BY t0.time DESC, t0.seq DESC;
-- $pod_start = "api"

-- the value ends so: a full scan
-- pod:*-x | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE regexp_matches(lower(t0.pod), $pod_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $pod_pattern = "(?s)^.*-x$"

-- stars inside and at both ends
-- pod:a*-7f-* or pod:*b* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE (regexp_matches(lower(t0.pod), $pod_pattern) OR contains(lower(t0.pod), $pod_part))
ORDER BY t0.time DESC, t0.seq DESC;
-- $pod_pattern = "(?s)^a.*-7f-.*$"
-- $pod_part = "b"

-- a word starts so
-- content:pay* | fields content
SELECT t0.content
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "pay"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])pay"
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])pay"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

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
WHERE t0.attributes[$attributes_key] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "star"

-- a quoted star among other characters is itself
-- content:"*" | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.content <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- comparisons, with and without a colon
-- n:>1.5 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- comparison without a colon
-- n>=1.5 n<2 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- a regular expression, anywhere and with its case
-- level:~"err|FATAL" | fields level
SELECT t0.level
FROM logs AS t0
WHERE regexp_matches(t0.level, $level_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_pattern = "(?s)err|FATAL"

-- a list
-- level:in(error, "fatal error") | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($level, $level_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"
-- $level_2 = "fatal error"

-- a range
-- n:range[1.5, 2] | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- a network
-- ip:ipv4_range("10.0.0.0/8") | fields ip
-- above: scan: `ipv4-range` is read one by one
SELECT t0.attributes[$attributes_key] AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "ip"

-- an alias of a field
-- _msg:payment _time:<2026-01-01T00:00:02Z | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time < make_timestamp_ns($time_below)
  AND (t0.attributes[$attributes_key] >= $attributes_from AND t0.attributes[$attributes_key] < $attributes_below OR t0.attributes[$attributes_key] >= $attributes_from_2 AND t0.attributes[$attributes_key] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $time_below = 1767225602000000000
-- $attributes_key = "_msg"
-- $attributes_from = "p"
-- $attributes_below = "q"
-- $attributes_from_2 = "P"
-- $attributes_below_2 = "Q"
-- $attributes = "payment"

-- a value is a word or phrase, with its case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE contains(t0.level, $level_part)
  AND (regexp_matches(t0.level, $level_pattern) OR regexp_matches(t0.level, $level_pattern_2) AND regexp_matches(t0.level, $level_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_part = "error"
-- $level_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- $level_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $level_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- exactly
-- level:="fatal error" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $level
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "fatal error"
