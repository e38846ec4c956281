-- upper and lower case
-- n:<7 | format "<uc:t>" as u, "<lc:t>" as l | fields n, u, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- upper case in the other dialect
-- n:<3 | format "<uc:t>" as u | fields n, u
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS t
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- without regard to case
-- t:i("STRAßE") or t:i("FIN") | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (contains(lower(t0.attributes[$attributes_key_2]), $attributes_part) AND (regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern) OR regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern_2) AND regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern_3)) OR contains(lower(t0.attributes[$attributes_key_2]), $attributes_part_2) AND (regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern_4) OR regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern_5) AND regexp_matches(lower(t0.attributes[$attributes_key_2]), $attributes_pattern_6)))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes_part = "straße"
-- $attributes_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])straße(?:[^0-9A-Za-z_\\x{80}-…
-- $attributes_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])straße(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $attributes_part_2 = "fin"
-- $attributes_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])fin(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $attributes_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])fin(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- common cases
-- t:equals_common_case("Straße") or t:contains_common_case("straße") | fields n
SELECT t0.attributes[$attributes_key] AS n
FROM logs AS t0
WHERE (t0.attributes[$attributes_key_2] IN ($attributes, $attributes_2, $attributes_3) OR contains(t0.attributes[$attributes_key_2], $attributes_part) AND (regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern) OR regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern_2) AND regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern_3)) OR contains(t0.attributes[$attributes_key_2], $attributes_part_2) AND (regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern_4) OR regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern_5) AND regexp_matches(t0.attributes[$attributes_key_2], $attributes_pattern_6)))
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "t"
-- $attributes = "STRAßE"
-- $attributes_2 = "Straße"
-- $attributes_3 = "straße"
-- $attributes_part = "STRAßE"
-- $attributes_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])STRAßE(?:[^0-9A-Za-z_\\x{80}-…
-- $attributes_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])STRAßE(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $attributes_part_2 = "straße"
-- $attributes_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])straße(?:[^0-9A-Za-z_\\x{80}-…
-- $attributes_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])straße(?:[^0-9A-Za-z_]|$)"
-- $attributes_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- durations
-- * | format "<duration:x>" as d | fields n, x, d
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "x"

-- addresses
-- * | format "<ipv4:x>" as a | fields n, a
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "x"

-- hexadecimal numbers
-- * | format "<hexnumencode:x>" as e, "[<hexnumdecode:h>]" as d | fields n, e, d
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS h, t0.attributes[$attributes_key_2] AS n,
  t0.attributes[$attributes_key_3] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "h"
-- $attributes_key_2 = "n"
-- $attributes_key_3 = "x"

-- times
-- * | format "<time:x>" as t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "x"

-- arithmetic reads the same numbers
-- * | math x + 0 as s | fields n, s
-- above: extend: `add` is no function of its own
SELECT t0.attributes[$attributes_key] AS n, t0.attributes[$attributes_key_2] AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "n"
-- $attributes_key_2 = "x"

-- missing fields
-- n:1 | format "[<hexnumdecode:z>][<hexnumencode:z>][<duration:z>][<ipv4:z>][<uc:z>]" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$attributes_key] AS z
FROM logs AS t0
WHERE t0.attributes[$attributes_key_2] >= $attributes_from
  AND t0.attributes[$attributes_key_2] < $attributes_below
  AND lower(t0.attributes[$attributes_key_2]) = $attributes
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "z"
-- $attributes_key_2 = "n"
-- $attributes_from = "1"
-- $attributes_below = "2"
-- $attributes = "1"
