-- two values of one field
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($level, $level_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"
-- $level_2 = "warn"

-- not adjacent
-- level:error workload:api level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ($level, $level_2)
  AND (t0.workload >= $workload_from AND t0.workload < $workload_below OR t0.workload >= $workload_from_2 AND t0.workload < $workload_below_2)
  AND lower(t0.workload) = $workload
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"
-- $level_2 = "warn"
-- $workload_from = "a"
-- $workload_below = "b"
-- $workload_from_2 = "A"
-- $workload_below_2 = "B"
-- $workload = "api"

-- a glob and a list join in
-- level:err* level:in(info) | fields level
SELECT t0.level
FROM logs AS t0
WHERE (starts_with(lower(t0.level), $level_start) OR lower(t0.level) = $level)
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_start = "err"
-- $level = "info"

-- comparisons of one field are AND
-- n:>1 n:<20 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- bare words are AND
-- alpha beta | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
  AND contains(lower(t0.content), $content_part_2)
  AND (regexp_matches(lower(t0.content), $content_pattern_4) OR regexp_matches(lower(t0.content), $content_pattern_5) AND regexp_matches(lower(t0.content), $content_pattern_6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $content_part = "alpha"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])alpha(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $content_part_2 = "beta"
-- $content_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])beta(?:[^0-9A-Za-z_\\x{80}-\\…
-- $content_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words on the text field by name are OR
-- content:alpha content:beta | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (contains(lower(t0.content), $content_part) AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3)) OR contains(lower(t0.content), $content_part_2) AND (regexp_matches(lower(t0.content), $content_pattern_4) OR regexp_matches(lower(t0.content), $content_pattern_5) AND regexp_matches(lower(t0.content), $content_pattern_6)))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $content_part = "alpha"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])alpha(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $content_part_2 = "beta"
-- $content_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])beta(?:[^0-9A-Za-z_\\x{80}-\\…
-- $content_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the text field under its alias is the same field
-- _msg:alpha content:gamma | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (t0.attributes[$attributes_key_2] >= $attributes_from AND t0.attributes[$attributes_key_2] < $attributes_below OR t0.attributes[$attributes_key_2] >= $attributes_from_2 AND t0.attributes[$attributes_key_2] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key_2]) = $attributes
  AND contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "_msg"
-- $attributes_from = "a"
-- $attributes_below = "b"
-- $attributes_from_2 = "A"
-- $attributes_below_2 = "B"
-- $attributes = "alpha"
-- $content_part = "gamma"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])gamma(?:[^0-9A-Za-z_\\x{80}-\…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])gamma(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a negation is not an alternative
-- level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
  AND lower(t0.level) IS DISTINCT FROM $level_2
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"
-- $level_2 = "warn"

-- two negations exclude both
-- -level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM $level
  AND lower(t0.level) IS DISTINCT FROM $level_2
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"
-- $level_2 = "warn"

-- regular expressions are AND
-- level:~r level:~w | fields level
SELECT t0.level
FROM logs AS t0
WHERE contains(t0.level, $level_part)
  AND contains(t0.level, $level_part_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_part = "r"
-- $level_part_2 = "w"

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
WHERE lower(t0.level) IN ($level, $level_2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $level = "error"
-- $level_2 = "warn"

-- the same field twice is AND
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE contains(t0.level, $level_part)
  AND (regexp_matches(t0.level, $level_pattern) OR regexp_matches(t0.level, $level_pattern_2) AND regexp_matches(t0.level, $level_pattern_3))
  AND contains(t0.level, $level_part_2)
  AND (regexp_matches(t0.level, $level_pattern_4) OR regexp_matches(t0.level, $level_pattern_5) AND regexp_matches(t0.level, $level_pattern_6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_part = "error"
-- $level_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- $level_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $level_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $level_part_2 = "warn"
-- $level_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])warn(?:[^0-9A-Za-z_\\x{80}-\\…
-- $level_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])warn(?:[^0-9A-Za-z_]|$)"
-- $level_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
