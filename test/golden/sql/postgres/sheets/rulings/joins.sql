-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE ((t0.attributes ->> $3::text) LIKE $4::text)
  AND ((((t0.attributes ->> $3::text) COLLATE "C") ~ $5::text) OR (((t0.attributes ->> $3::text) COLLATE "C") ~ $6::text) AND (((t0.attributes ->> $3::text) COLLATE "C") ~ $7::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "%l%"
-- $5::text = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])l(?:[\\u0001-/:-…
-- $6::text = "(?s)(?:^|[^0-9A-Za-z_])l(?:[^0-9A-Za-z_]|$)"
-- $7::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE ((t0.attributes ->> $3::text) LIKE $4::text)
  AND ((((t0.attributes ->> $3::text) COLLATE "C") ~ $5::text) OR (((t0.attributes ->> $3::text) COLLATE "C") ~ $6::text) AND (((t0.attributes ->> $3::text) COLLATE "C") ~ $7::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "%r%"
-- $5::text = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])r(?:[\\u0001-/:-…
-- $6::text = "(?s)(?:^|[^0-9A-Za-z_])r(?:[^0-9A-Za-z_]|$)"
-- $7::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
WHERE (t0.attributes ->> $4::text) IN ($5::text, $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "k2"
-- $3::text = "v"
-- $4::text = "side"
-- $5::text = "l"
-- $6::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
WHERE (t0.attributes ->> $4::text) IN ($5::text, $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "k2"
-- $3::text = "w"
-- $4::text = "side"
-- $5::text = "r"
-- $6::text = "R"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "v"
-- $2::text = "nowhere"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "side"
-- $3::text = "n"
-- $4::text = "N"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "m"
-- $5::text = "M"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text, $5::text, $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "side"
-- $3::text = "l"
-- $4::text = "L"
-- $5::text = "r"
-- $6::text = "R"
SELECT t0.attributes -> $1::text AS c0
FROM logs AS t0
WHERE (t0.attributes ->> $2::text) IN ($3::text, $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "side"
-- $3::text = "r"
-- $4::text = "R"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
  AND ((t0.attributes ->> $1::text) IS NULL OR (t0.attributes ->> $1::text) = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
  AND (t0.attributes ->> $1::text) <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: join: keys of different kinds meet by their text
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
  AND ((t0.attributes ->> $1::text) IN ($6::text, $7::text) OR (t0.attributes ->> $1::text) IS NULL OR (t0.attributes ->> $1::text) = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
-- $4::text = "l"
-- $5::text = "L"
-- $6::text = "z"
-- $7::text = "Z"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
WHERE (t0.attributes ->> $3::text) IN ($4::text, $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
-- $4::text = "r"
-- $5::text = "R"
