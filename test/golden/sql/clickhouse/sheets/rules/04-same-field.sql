-- two values of one field
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ({level:String}, {level_2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {level_2:String} = "warn"

-- not adjacent
-- level:error workload:api level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IN ({level:String}, {level_2:String})
  AND lower(t0.workload) IN ({workload:String}, {workload_2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {level_2:String} = "warn"
-- {workload:String} = "api"
-- {workload_2:String} = "apİ"

-- a glob and a list join in
-- level:err* level:in(info) | fields level
SELECT t0.level
FROM logs AS t0
WHERE (startsWith(lower(t0.level), {level_start:String}) OR lower(t0.level) IN ({level:String}, {level_2:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {level_start:String} = "err"
-- {level:String} = "info"
-- {level_2:String} = "İnfo"

-- comparisons of one field are AND
-- n:>1 n:<20 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- bare words are AND
-- alpha beta | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
  AND match(lower(t0.content), {content_pattern_4:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_5:String}) OR match(lower(t0.content), {content_pattern_6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])alpha(?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])beta(?:[^0-9A-Za-z_\\x{80}-\\…
-- {content_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words on the text field by name are OR
-- content:alpha content:beta | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (match(lower(t0.content), {content_pattern:String}) AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String})) OR match(lower(t0.content), {content_pattern_4:String}) AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_5:String}) OR match(lower(t0.content), {content_pattern_6:String})))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])alpha(?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])beta(?:[^0-9A-Za-z_\\x{80}-\\…
-- {content_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the text field under its alias is the same field
-- _msg:alpha content:gamma | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key_2:String}]) = {attributes:String}
  AND match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "_msg"
-- {attributes:String} = "alpha"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])gamma(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])gamma(?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a negation is not an alternative
-- level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
  AND lower(t0.level) IS DISTINCT FROM {level_2:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {level_2:String} = "warn"

-- two negations exclude both
-- -level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.level) IS DISTINCT FROM {level:String}
  AND lower(t0.level) IS DISTINCT FROM {level_2:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {level_2:String} = "warn"

-- regular expressions are AND
-- level:~r level:~w | fields level
SELECT t0.level
FROM logs AS t0
WHERE position(t0.level, {level_part:String}) > 0
  AND position(t0.level, {level_part_2:String}) > 0
ORDER BY t0.time DESC, t0.seq DESC;
-- {level_part:String} = "r"
-- {level_part_2:String} = "w"

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
WHERE lower(t0.level) IN ({level:String}, {level_2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {level_2:String} = "warn"

-- the same field twice is AND
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE match(t0.level, {level_pattern:String})
  AND (length(t0.level) = lengthUTF8(t0.level) OR match(t0.level, {level_pattern_2:String}) OR match(t0.level, {level_pattern_3:String}))
  AND match(t0.level, {level_pattern_4:String})
  AND (length(t0.level) = lengthUTF8(t0.level) OR match(t0.level, {level_pattern_5:String}) OR match(t0.level, {level_pattern_6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {level_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- {level_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- {level_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {level_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])warn(?:[^0-9A-Za-z_]|$)"
-- {level_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])warn(?:[^0-9A-Za-z_\\x{80}-\\…
-- {level_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
