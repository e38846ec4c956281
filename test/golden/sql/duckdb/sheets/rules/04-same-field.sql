-- two values of one field
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1, $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "warn"

-- not adjacent
-- level:error workload:api level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($1, $2)
  AND (t0.workload >= $3 AND t0.workload < $4 OR t0.workload >= $5 AND t0.workload < $6)
  AND lower(t0.workload) = $7
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "warn"
-- $3 = "a"
-- $4 = "b"
-- $5 = "A"
-- $6 = "B"
-- $7 = "api"

-- a glob and a list join in
-- level:err* level:in(info) | fields level
SELECT t0.level
FROM logs AS t0
WHERE (starts_with(lower(t0.level), $1) OR lower(t0.level) = $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "err"
-- $2 = "info"

-- comparisons of one field are AND
-- n:>1 n:<20 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$1], $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "(?s)^[-+.0-9IiNn]"

-- bare words are AND
-- alpha beta | fields n
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $2)
  AND (regexp_matches(lower(t0.content), $3) OR regexp_matches(lower(t0.content), $4) AND regexp_matches(lower(t0.content), $5))
  AND contains(lower(t0.content), $6)
  AND (regexp_matches(lower(t0.content), $7) OR regexp_matches(lower(t0.content), $8) AND regexp_matches(lower(t0.content), $9))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "alpha"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])alpha(?:[^0-9A-Za-z_\\x{80}-\…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $6 = "beta"
-- $7 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])beta(?:[^0-9A-Za-z_\\x{80}-\\…
-- $8 = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- $9 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words on the text field by name are OR
-- content:alpha content:beta | fields n
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE (contains(lower(t0.content), $2) AND (regexp_matches(lower(t0.content), $3) OR regexp_matches(lower(t0.content), $4) AND regexp_matches(lower(t0.content), $5)) OR contains(lower(t0.content), $6) AND (regexp_matches(lower(t0.content), $7) OR regexp_matches(lower(t0.content), $8) AND regexp_matches(lower(t0.content), $9)))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "alpha"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])alpha(?:[^0-9A-Za-z_\\x{80}-\…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $6 = "beta"
-- $7 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])beta(?:[^0-9A-Za-z_\\x{80}-\\…
-- $8 = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- $9 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the text field under its alias is the same field
-- _msg:alpha content:gamma | fields n
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE (t0.attributes[$2] >= $3 AND t0.attributes[$2] < $4 OR t0.attributes[$2] >= $5 AND t0.attributes[$2] < $6)
  AND lower(t0.attributes[$2]) = $7
  AND contains(lower(t0.content), $8)
  AND (regexp_matches(lower(t0.content), $9) OR regexp_matches(lower(t0.content), $10) AND regexp_matches(lower(t0.content), $11))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "n"
-- $2 = "_msg"
-- $3 = "a"
-- $4 = "b"
-- $5 = "A"
-- $6 = "B"
-- $7 = "alpha"
-- $8 = "gamma"
-- $9 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])gamma(?:[^0-9A-Za-z_\\x{80}-\…
-- $10 = "(?s)(?:^|[^0-9A-Za-z_])gamma(?:[^0-9A-Za-z_]|$)"
-- $11 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a negation is not an alternative
-- level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
  AND lower(t0.level) IS DISTINCT FROM $6
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"
-- $6 = "warn"

-- two negations exclude both
-- -level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $1
  AND lower(t0.level) IS DISTINCT FROM $2
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "warn"

-- regular expressions are AND
-- level:~r level:~w | fields level
SELECT t0.level
FROM logs AS t0
WHERE contains(t0.level, $1)
  AND contains(t0.level, $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "r"
-- $2 = "w"

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
WHERE lower(t0.level) IN ($1, $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "warn"

-- the same field twice is AND
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE contains(t0.level, $1)
  AND (regexp_matches(t0.level, $2) OR regexp_matches(t0.level, $3) AND regexp_matches(t0.level, $4))
  AND contains(t0.level, $5)
  AND (regexp_matches(t0.level, $6) OR regexp_matches(t0.level, $7) AND regexp_matches(t0.level, $8))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "error"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "warn"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])warn(?:[^0-9A-Za-z_\\x{80}-\\…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])warn(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
