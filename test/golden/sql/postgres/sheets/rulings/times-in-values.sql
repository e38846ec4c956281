-- buckets of a day
-- * | stats by (t:1d) count() rows | sort by (t)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "t"

-- buckets of a day in the other dialect
-- * | stats by (t:1d) count() rows | sort by (t)
-- above: aggregate: buckets of such values are decimals, addresses, durations or texts
SELECT t0.attributes -> $1::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "t"

-- buckets of an hour in a month
-- n:<6 | stats by (t:1h) count() rows | sort by (t)
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS t, t0.attributes -> $2::text AS n
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $2::text) = 'string' AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "t"
-- $2 attributes_key_2 = "n"
-- $3 attributes_to = "6.000000000000000444089209850062616169452667236328125"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- the difference of two times
-- n:<7 | math e - t as d | fields n, d
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS e, t0.attributes -> $2::text AS n, t0.attributes -> $3::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) <= ($4::text::jsonb) OR jsonb_typeof(t0.attributes -> $2::text) = 'string' AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "e"
-- $2 attributes_key_2 = "n"
-- $3 attributes_key_3 = "t"
-- $4 attributes_to = "7.000000000000000444089209850062616169452667236328125"
-- $5 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- comparisons
-- t:>2026-03-01T10:00:00Z | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) >= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $2::text) = 'string' AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_from = "1772359199999999872"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- comparisons in the other dialect
-- t:<="2026-03-01 10:20:30" | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $2::text) = 'string' AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_to = "1772360430000000128"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- a range
-- t:range["2026-03-01T10:20:30Z", "2026-03-01 23:00:00"] | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) >= ($3::text::jsonb) AND (t0.attributes -> $2::text) <= ($4::text::jsonb) OR jsonb_typeof(t0.attributes -> $2::text) = 'string' AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_from = "1772360429999999872"
-- $4 attributes_to = "1772406000000000128"
-- $5 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- an operand without a zone
-- t:>="2026-03-01 10:20:30.1" | fields n
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) >= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $2::text) = 'string' AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_from = "1772360430099999872"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- two fields
-- t:lt_field(e) | fields n
-- above: scan: the condition is a function that is not its own
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t, t0.attributes -> $3::text AS e
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_key_3 = "e"

-- two fields, equal or less
-- !t:le_field(e) | fields n
-- above: scan: the condition is a function that is not its own
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t, t0.attributes -> $3::text AS e
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_key_3 = "e"

-- moved
-- n:<6 | time_add 1h at t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_to = "6.000000000000000444089209850062616169452667236328125"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- parts
-- n:<7 | datetime_extract minute from t as m | fields n, m
-- above: scan: numbers among its values are written in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_to = "7.000000000000000444089209850062616169452667236328125"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- the least and the greatest
-- * | stats min(t) as a, max(t) as b, min(e) as c
-- above: aggregate: `min`: its values are of several kinds
SELECT t0.attributes -> $1::text AS e, t0.attributes -> $2::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "e"
-- $2 attributes_key_2 = "t"

-- in order, behind numbers and before other texts
-- * | sort by (t, n) | fields n, t
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"

-- a time in quotes
-- * | limit 1 | math "2026-03-01 10:20:30" - "2026-03-01T12:20:00+0200" as d | fields d
SELECT $1::bigint AS d
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $2::bigint;
-- $1 value = 30000000000
-- $2 limit = 1
