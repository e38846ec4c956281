-- upper and lower case
-- n:<7 | format "<uc:t>" as u, "<lc:t>" as l | fields n, u, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_to = "7.000000000000000444089209850062616169452667236328125"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- upper case in the other dialect
-- n:<3 | format "<uc:t>" as u | fields n, u
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) <= ($3::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes_to = "3.0000000000000002220446049250313080847263336181640625"
-- $4 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- without regard to case
-- t:i("STRAßE") or t:i("FIN") | fields n
-- above: scan: it lowers some letters in another way
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"

-- common cases
-- t:equals_common_case("Straße") or t:contains_common_case("straße") | fields n
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((t0.attributes ->> $2::text) IN ($3::text, $4::text, $5::text) OR (t0.attributes ->> $2::text) LIKE $6::text AND (((t0.attributes ->> $2::text) COLLATE "C") ~ $7::text OR ((t0.attributes ->> $2::text) COLLATE "C") ~ $8::text AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $9::text) OR (t0.attributes ->> $2::text) LIKE $10::text AND (((t0.attributes ->> $2::text) COLLATE "C") ~ $11::text OR ((t0.attributes ->> $2::text) COLLATE "C") ~ $12::text AND ((t0.attributes ->> $2::text) COLLATE "C") ~ $13::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "t"
-- $3 attributes = "STRAßE"
-- $4 attributes_2 = "Straße"
-- $5 attributes_3 = "straße"
-- $6 attributes_pattern = "%STRAßE%"
-- $7 attributes_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])STRAßE(?:[\\u000…
-- $8 attributes_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])STRAßE(?:[^0-9A-Za-z_]|$)"
-- $9 attributes_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $10 attributes_pattern_5 = "%straße%"
-- $11 attributes_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])straße(?:[\\u000…
-- $12 attributes_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])straße(?:[^0-9A-Za-z_]|$)"
-- $13 attributes_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- durations
-- * | format "<duration:x>" as d | fields n, x, d
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "x"

-- addresses
-- * | format "<ipv4:x>" as a | fields n, a
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "x"

-- hexadecimal numbers
-- * | format "<hexnumencode:x>" as e, "[<hexnumdecode:h>]" as d | fields n, e, d
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS h, t0.attributes -> $2::text AS n, t0.attributes -> $3::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "h"
-- $2 attributes_key_2 = "n"
-- $3 attributes_key_3 = "x"

-- times
-- * | format "<time:x>" as t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "x"

-- arithmetic reads the same numbers
-- * | math x + 0 as s | fields n, s
-- above: extend: `add` is no function of its own
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "x"

-- missing fields
-- n:1 | format "[<hexnumdecode:z>][<hexnumencode:z>][<duration:z>][<ipv4:z>][<uc:z>]" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS z
FROM logs AS t0
WHERE ((t0.attributes ->> $2::text) = $3::text OR jsonb_typeof(t0.attributes -> $2::text) = 'number' AND (t0.attributes -> $2::text) >= ($4::text::jsonb) AND (t0.attributes -> $2::text) <= ($5::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "z"
-- $2 attributes_key_2 = "n"
-- $3 attributes = "1"
-- $4 attributes_from = "0.999999999999999944488848768742172978818416595458984375"
-- $5 attributes_to = "1.00000000000000011102230246251565404236316680908203125"
