-- two values of one field
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IN ({p1:String}, {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "warn"

-- not adjacent
-- level:error workload:api level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IN ({p1:String}, {p2:String})
  AND (lowerUTF8(replaceAll(t0.workload, 'İ', 'i'))) = {p3:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "warn"
-- {p3:String} = "api"

-- a glob and a list join in
-- level:err* level:in(info) | fields level
SELECT t0.level
FROM logs AS t0
WHERE (startsWith(lowerUTF8(replaceAll(t0.level, 'İ', 'i')), {p1:String}) OR (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) = {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "err"
-- {p2:String} = "info"

-- comparisons of one field are AND
-- n:>1 n:<20 | fields n
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "n"

-- bare words are AND
-- alpha beta | fields n
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p2:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p3:String})
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p4:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p5:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "n"
-- {p2:String} = "alpha"
-- {p3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p4:String} = "beta"
-- {p5:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- words on the text field by name are OR
-- content:alpha content:beta | fields n
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE ((position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p2:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p3:String}) OR (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p4:String}) > 0) AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p5:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "n"
-- {p2:String} = "alpha"
-- {p3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p4:String} = "beta"
-- {p5:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the text field under its alias is the same field
-- _msg:alpha content:gamma | fields n
SELECT if(mapContains(t0.attributes, {p1:String}), t0.attributes[{p1:String}], NULL) AS c0
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.attributes[{p2:String}], 'İ', 'i'))) = {p3:String}
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p4:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p5:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "n"
-- {p2:String} = "_msg"
-- {p3:String} = "alpha"
-- {p4:String} = "gamma"
-- {p5:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a negation is not an alternative
-- level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) = {p1:String}
  AND (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IS DISTINCT FROM {p2:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "warn"

-- two negations exclude both
-- -level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IS DISTINCT FROM {p1:String}
  AND (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IS DISTINCT FROM {p2:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "warn"

-- regular expressions are AND
-- level:~r level:~w | fields level
SELECT t0.level
FROM logs AS t0
WHERE (position(t0.level, {p1:String}) > 0)
  AND (position(t0.level, {p2:String}) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "r"
-- {p2:String} = "w"

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
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) IN ({p1:String}, {p2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "warn"

-- the same field twice is AND
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (position(t0.level, {p1:String}) > 0)
  AND match(t0.level, {p2:String})
  AND (position(t0.level, {p3:String}) > 0)
  AND match(t0.level, {p4:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "warn"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
