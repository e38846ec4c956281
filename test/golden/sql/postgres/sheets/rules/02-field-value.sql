-- the whole value, whatever the case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- exactly
-- level:=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "error"

-- exactly, with an equals sign
-- level = "ERROR" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "ERROR"

-- not exactly keeps what has no level
-- level:!=error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level IS DISTINCT FROM $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "error"

-- on the text field a value is a word
-- content:payment | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%payment%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])payment(?:[\\u00…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])payment(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a number is found by any spelling, a text by its own
-- n:1.50 | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "1.50"
-- $3 attributes_from = "1.49999999999999988897769753748434595763683319091796875"
-- $4 attributes_to = "1.50000000000000011102230246251565404236316680908203125"

-- a number and a text of it
-- n:2 | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "2"
-- $3 attributes_from = "1.99999999999999988897769753748434595763683319091796875"
-- $4 attributes_to = "2.0000000000000002220446049250313080847263336181640625"

-- a bool and its text
-- ok:TRUE | fields ok
SELECT t0.attributes -> $1::text AS ok
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ok"
-- $2 attributes = "{\"true\",\"True\",\"tRue\",\"TRue\",\"trUe\",\"TrUe\",\"tRUe\",\"TRUe\…

-- the value starts so
-- pod:api* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.pod ILIKE $1::text
  AND starts_with(translate(lower(t0.pod), 'İK', 'ik'), $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 pod_pattern = "ap_%"
-- $2 pod_start = "api"

-- the value ends so: a full scan
-- pod:*-x | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE lower(t0.pod) ~ $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 pod_pattern = "(?s)^.*-x$"

-- stars inside and at both ends
-- pod:a*-7f-* or pod:*b* | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE (lower(t0.pod) ~ $1::text OR t0.pod ILIKE $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 pod_pattern = "(?s)^a.*-7f-.*$"
-- $2 pod_pattern_2 = "%b%"

-- a word starts so
-- content:pay* | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%pay%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])pay"
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])pay"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

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
WHERE (t0.attributes ->> $1::text) <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "star"

-- a quoted star among other characters is itself
-- content:"*" | fields pod
SELECT t0.pod
FROM logs AS t0
WHERE t0.content <> ''
ORDER BY t0.time DESC, t0.seq DESC;

-- comparisons, with and without a colon
-- n:>1.5 | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_from = "1.49999999999999988897769753748434595763683319091796875"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- comparison without a colon
-- n>=1.5 n<2 | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_from = "1.49999999999999988897769753748434595763683319091796875"
-- $3 attributes_to = "2.0000000000000002220446049250313080847263336181640625"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- a regular expression, anywhere and with its case
-- level:~"err|FATAL" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level ~ $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level_pattern = "err|FATAL"

-- a list
-- level:in(error, "fatal error") | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1::text, $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "error"
-- $2 level_2 = "fatal error"

-- a range
-- n:range[1.5, 2] | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_from = "1.49999999999999988897769753748434595763683319091796875"
-- $3 attributes_to = "2.0000000000000002220446049250313080847263336181640625"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- a network
-- ip:ipv4_range("10.0.0.0/8") | fields ip
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS ip
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ip"

-- an alias of a field
-- _msg:payment _time:<2026-01-01T00:00:02Z | fields content
SELECT t0.content
FROM logs AS t0
WHERE t0.time < ($1::text::timestamptz)
  AND (t0.attributes ->> $2::text) = ANY($3::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_below = "2026-01-01T00:00:02.000000000Z"
-- $2 attributes_key = "_msg"
-- $3 attributes = "{\"payment\",\"Payment\",\"pAyment\",\"PAyment\",\"paYment\",\"PaYment\…

-- a value is a word or phrase, with its case
-- level:error | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level LIKE $1::text
  AND (t0.level ~ $2::text OR t0.level ~ $3::text AND t0.level ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level_pattern = "%error%"
-- $2 level_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])error(?:[\\u0001…
-- $3 level_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $4 level_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- exactly
-- level:="fatal error" | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = $1::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "fatal error"
