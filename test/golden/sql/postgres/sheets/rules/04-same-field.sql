-- two values of one field
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- not adjacent
-- level:error workload:api level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
  AND t0.workload = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 workload = "{\"api\",\"Api\",\"aPi\",\"APi\",\"apI\",\"ApI\",\"aPI\",\"API\",\"apİ\…

-- a glob and a list join in
-- level:err* level:in(info) | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.level ILIKE $1::text OR t0.level = ANY($2::text[]))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level_pattern = "err%"
-- $2 level = "{\"info\",\"Info\",\"İnfo\",\"iNfo\",\"INfo\",\"İNfo\",\"inFo\",\"InFo\…

-- comparisons of one field are AND
-- n:>1 n:<20 | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_from = "0.999999999999999944488848768742172978818416595458984375"
-- $3 attributes_to = "20.0000000000000017763568394002504646778106689453125"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- bare words are AND
-- alpha beta | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
  AND t0.content ILIKE $6::text
  AND (t0.content ~* $7::text OR t0.content ~* $8::text AND lower(t0.content) ~ $9::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 content_pattern = "%alpha%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])alpha(?:[\\u0001…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $6 content_pattern_5 = "%beta%"
-- $7 content_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])beta(?:[\\u0001-…
-- $8 content_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- $9 content_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- words on the text field by name are OR
-- content:alpha content:beta | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (t0.content ILIKE $2::text AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text) OR t0.content ILIKE $6::text AND (t0.content ~* $7::text OR t0.content ~* $8::text AND lower(t0.content) ~ $9::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 content_pattern = "%alpha%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])alpha(?:[\\u0001…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])alpha(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $6 content_pattern_5 = "%beta%"
-- $7 content_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])beta(?:[\\u0001-…
-- $8 content_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])beta(?:[^0-9A-Za-z_]|$)"
-- $9 content_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the text field under its alias is the same field
-- _msg:alpha content:gamma | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) = ANY($3::text[])
  AND t0.content ILIKE $4::text
  AND (t0.content ~* $5::text OR t0.content ~* $6::text AND lower(t0.content) ~ $7::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "_msg"
-- $3 attributes = "{\"alpha\",\"Alpha\",\"aLpha\",\"ALpha\",\"alPha\",\"AlPha\",\"aLPha\",…
-- $4 content_pattern = "%gamma%"
-- $5 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])gamma(?:[\\u0001…
-- $6 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])gamma(?:[^0-9A-Za-z_]|$)"
-- $7 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a negation is not an alternative
-- level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
  AND (NOT (t0.level = ANY($2::text[])) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 level_2 = "{\"warn\",\"Warn\",\"wArn\",\"WArn\",\"waRn\",\"WaRn\",\"wARn\",\"WARn\…

-- two negations exclude both
-- -level:error -level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE (NOT (t0.level = ANY($1::text[])) OR t0.level IS NULL OR t0.level = '')
  AND (NOT (t0.level = ANY($2::text[])) OR t0.level IS NULL OR t0.level = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $2 level_2 = "{\"warn\",\"Warn\",\"wArn\",\"WArn\",\"waRn\",\"WaRn\",\"wARn\",\"WARn\…

-- regular expressions are AND
-- level:~r level:~w | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level LIKE $1::text
  AND t0.level LIKE $2::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level_pattern = "%r%"
-- $2 level_pattern_2 = "%w%"

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
WHERE t0.level = ANY($1::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- the same field twice is AND
-- level:error level:warn | fields level
SELECT t0.level
FROM logs AS t0
WHERE t0.level LIKE $1::text
  AND (t0.level ~ $2::text OR t0.level ~ $3::text AND t0.level ~ $4::text)
  AND t0.level LIKE $5::text
  AND (t0.level ~ $6::text OR t0.level ~ $7::text AND t0.level ~ $8::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level_pattern = "%error%"
-- $2 level_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])error(?:[\\u0001…
-- $3 level_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $4 level_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 level_pattern_5 = "%warn%"
-- $6 level_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])warn(?:[\\u0001-…
-- $7 level_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])warn(?:[^0-9A-Za-z_]|$)"
-- $8 level_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
