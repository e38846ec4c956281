-- two values of one field
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1::text, $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "warn"

-- not adjacent
-- level:error workload:api level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1::text, $2::text)
  AND lower(t0.workload) IN ($3::text, $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "warn"
-- $3::text = "api"
-- $4::text = "apİ"

-- a glob and a list join in
-- level:err* level:in(info) | fields level
SELECT t0.level
FROM logs AS t0
WHERE (starts_with(lower(t0.level), $1::text) OR lower(t0.level) IN ($2::text, $3::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "err"
-- $2::text = "info"
-- $3::text = "İnfo"

-- comparisons of one field are AND
-- n:>1 n:<20 | fields n
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"

-- bare words are AND
-- alpha beta | fields n
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
WHERE (position($2::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $3::text)
  AND (position($4::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "alpha"
-- $3::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $4::text = "beta"
-- $5::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- words on the text field by name are OR
-- content:alpha content:beta | fields n
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
WHERE ((position($2::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $3::text) OR (position($4::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $5::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "alpha"
-- $3::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $4::text = "beta"
-- $5::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the text field under its alias is the same field
-- _msg:alpha content:gamma | fields n
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (position($3::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "_msg"
-- $3::text = "gamma"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a negation is not an alternative
-- level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) = $1::text
  AND lower(t0.level) IS DISTINCT FROM $2::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "warn"

-- two negations exclude both
-- -level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1::text
  AND lower(t0.level) IS DISTINCT FROM $2::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "warn"

-- regular expressions are AND
-- level:~r level:~w | fields level
SELECT t0.level
FROM logs AS t0
WHERE (position($1::text IN t0.level) > 0)
  AND (position($2::text IN t0.level) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "r"
-- $2::text = "w"

-- an explicit AND is an AND
-- level:error AND level:warn | fields level
-- above: values: rows written in the query never touch stored data

-- a group is one operand
-- level:error (level:warn) | fields level
-- above: values: rows written in the query never touch stored data

-- values under one field
-- level:(error or warn) | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1::text, $2::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "warn"

-- the same field twice is AND
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (position($1::text IN t0.level) > 0)
  AND (t0.level ~ $2::text)
  AND (position($3::text IN t0.level) > 0)
  AND (t0.level ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "error"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "warn"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
