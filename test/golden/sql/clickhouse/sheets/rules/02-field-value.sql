-- the whole value, whatever the case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"

-- exactly
-- level:=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"

-- exactly, with an equals sign
-- level = "ERROR" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "ERROR"

-- not exactly keeps what has no level
-- level:!=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level IS DISTINCT FROM {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"

-- on the text field a value is a word
-- content:payment | fields content
SELECT t0.content
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])payment(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])payment(?:[^0-9A-Za-z_\\x{80}…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a number is found by any spelling, a text by its own
-- n:1.50 | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "1.50"

-- a number and a text of it
-- n:2 | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "2"

-- a bool and its text
-- ok:TRUE | fields ok
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ok
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ok"
-- {attributes:String} = "true"

-- the value starts so
-- pod:api* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE startsWith(lower(replaceAll(replaceAll(t0.pod, 'İ', 'i'), 'K', 'k')), {pod_start:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {pod_start:String} = "api"

-- the value ends so: a full scan
-- pod:*-x | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE match(lower(t0.pod), {pod_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {pod_pattern:String} = "(?s)^.*-x$"

-- stars inside and at both ends
-- pod:a*-7f-* or pod:*b* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE (match(lower(t0.pod), {pod_pattern:String}) OR position(lower(t0.pod), {pod_part:String}) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- {pod_pattern:String} = "(?s)^a.*-7f-.*$"
-- {pod_part:String} = "b"

-- a word starts so
-- content:pay* | fields content
SELECT t0.content
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])pay"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])pay"
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

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
WHERE t0.attributes[{attributes_key:String}] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "star"

-- a quoted star among other characters is itself
-- content:"*" | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.content <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- comparisons, with and without a colon
-- n:>1.5 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- comparison without a colon
-- n>=1.5 n<2 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- a regular expression, anywhere and with its case
-- level:~"err|FATAL" | fields level
SELECT t0.level
FROM logs AS t0
WHERE match(t0.level, {level_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {level_pattern:String} = "(?s)err|FATAL"

-- a list
-- level:in(error, "fatal error") | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ({level:String}, {level_2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {level_2:String} = "fatal error"

-- a range
-- n:range[1.5, 2] | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- a network
-- ip:ipv4_range("10.0.0.0/8") | fields ip
-- above: scan: `ipv4-range` is read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ip"

-- an alias of a field
-- _msg:payment _time:<2026-01-01T00:00:02Z | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time < fromUnixTimestamp64Nano({time_below:Int64})
  AND lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_below:Int64} = 1767225602000000000
-- {attributes_key:String} = "_msg"
-- {attributes:String} = "payment"

-- a value is a word or phrase, with its case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE match(t0.level, {level_pattern:String})
  AND (length(t0.level) = lengthUTF8(t0.level) OR match(t0.level, {level_pattern_2:String}) OR match(t0.level, {level_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {level_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- {level_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- {level_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- exactly
-- level:="fatal error" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "fatal error"
