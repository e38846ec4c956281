-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) LIKE $4::text
  AND (((t0.attributes ->> $3::text) COLLATE "C") ~ $5::text OR ((t0.attributes ->> $3::text) COLLATE "C") ~ $6::text AND ((t0.attributes ->> $3::text) COLLATE "C") ~ $7::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes_pattern = "%l%"
-- $5 attributes_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])l(?:[\\u0001-/:-…
-- $6 attributes_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])l(?:[^0-9A-Za-z_]|$)"
-- $7 attributes_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) LIKE $4::text
  AND (((t0.attributes ->> $3::text) COLLATE "C") ~ $5::text OR ((t0.attributes ->> $3::text) COLLATE "C") ~ $6::text AND ((t0.attributes ->> $3::text) COLLATE "C") ~ $7::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes_pattern = "%r%"
-- $5 attributes_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])r(?:[\\u0001-/:-…
-- $6 attributes_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])r(?:[^0-9A-Za-z_]|$)"
-- $7 attributes_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS k2, t0.attributes -> $3::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $4::text) IN ($5::text, $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "k2"
-- $3 attributes_key_3 = "v"
-- $4 attributes_key_4 = "side"
-- $5 attributes = "l"
-- $6 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS k2, t0.attributes -> $3::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $4::text) IN ($5::text, $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "k2"
-- $3 attributes_key_3 = "w"
-- $4 attributes_key_4 = "side"
-- $5 attributes = "r"
-- $6 attributes_2 = "R"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS v, t0.attributes -> $2::text AS nowhere
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes_key_2 = "nowhere"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "side"
-- $3 attributes = "n"
-- $4 attributes_2 = "N"
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "m"
-- $5 attributes_2 = "M"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS k
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text, $5::text, $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "side"
-- $3 attributes = "l"
-- $4 attributes_2 = "L"
-- $5 attributes_3 = "r"
-- $6 attributes_4 = "R"
SELECT t0.attributes -> $1::text AS k
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "side"
-- $3 attributes = "r"
-- $4 attributes_2 = "R"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
  AND ((t0.attributes ->> $1::text) IS NULL OR (t0.attributes ->> $1::text) = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
  AND (t0.attributes ->> $1::text) <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
  AND ((t0.attributes ->> $1::text) IN ($6::text, $7::text) OR (t0.attributes ->> $1::text) IS NULL OR (t0.attributes ->> $1::text) = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "v"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "l"
-- $5 attributes_2 = "L"
-- $6 attributes_3 = "z"
-- $7 attributes_4 = "Z"
SELECT t0.attributes -> $1::text AS k, t0.attributes -> $2::text AS w
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "k"
-- $2 attributes_key_2 = "w"
-- $3 attributes_key_3 = "side"
-- $4 attributes = "r"
-- $5 attributes_2 = "R"
