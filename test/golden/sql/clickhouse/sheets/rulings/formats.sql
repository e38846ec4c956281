-- upper and lower case
-- n:<7 | format "<uc:t>" as u, "<lc:t>" as l | fields n, u, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- upper case in the other dialect
-- n:<3 | format "<uc:t>" as u | fields n, u
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS t
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- without regard to case
-- t:i("STRAßE") or t:i("FIN") | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (match(lowerUTF8(replaceAll(t0.attributes[{attributes_key_2:String}], 'İ', 'i')), {attributes_pattern:String}) AND (length(t0.attributes[{attributes_key_2:String}]) = lengthUTF8(t0.attributes[{attributes_key_2:String}]) OR match(lowerUTF8(replaceAll(t0.attributes[{attributes_key_2:String}], 'İ', 'i')), {attributes_pattern_2:String}) OR match(lowerUTF8(replaceAll(t0.attributes[{attributes_key_2:String}], 'İ', 'i')), {attributes_pattern_3:String})) OR match(lower(t0.attributes[{attributes_key_2:String}]), {attributes_pattern_4:String}) AND (length(t0.attributes[{attributes_key_2:String}]) = lengthUTF8(t0.attributes[{attributes_key_2:String}]) OR match(lower(t0.attributes[{attributes_key_2:String}]), {attributes_pattern_5:String}) OR match(lower(t0.attributes[{attributes_key_2:String}]), {attributes_pattern_6:String})))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])straße(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])straße(?:[^0-9A-Za-z_\\x{80}-…
-- {attributes_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {attributes_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])f[iİ]n(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])f[iİ]n(?:[^0-9A-Za-z_\\x{80}-…
-- {attributes_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- common cases
-- t:equals_common_case("Straße") or t:contains_common_case("straße") | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE (t0.attributes[{attributes_key_2:String}] IN ({attributes:String}, {attributes_2:String}, {attributes_3:String}) OR match(t0.attributes[{attributes_key_2:String}], {attributes_pattern:String}) AND (length(t0.attributes[{attributes_key_2:String}]) = lengthUTF8(t0.attributes[{attributes_key_2:String}]) OR match(t0.attributes[{attributes_key_2:String}], {attributes_pattern_2:String}) OR match(t0.attributes[{attributes_key_2:String}], {attributes_pattern_3:String})) OR match(t0.attributes[{attributes_key_2:String}], {attributes_pattern_4:String}) AND (length(t0.attributes[{attributes_key_2:String}]) = lengthUTF8(t0.attributes[{attributes_key_2:String}]) OR match(t0.attributes[{attributes_key_2:String}], {attributes_pattern_5:String}) OR match(t0.attributes[{attributes_key_2:String}], {attributes_pattern_6:String})))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "t"
-- {attributes:String} = "STRAßE"
-- {attributes_2:String} = "Straße"
-- {attributes_3:String} = "straße"
-- {attributes_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])STRAßE(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])STRAßE(?:[^0-9A-Za-z_\\x{80}-…
-- {attributes_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {attributes_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])straße(?:[^0-9A-Za-z_]|$)"
-- {attributes_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])straße(?:[^0-9A-Za-z_\\x{80}-…
-- {attributes_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- durations
-- * | format "<duration:x>" as d | fields n, x, d
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "x"

-- addresses
-- * | format "<ipv4:x>" as a | fields n, a
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "x"

-- hexadecimal numbers
-- * | format "<hexnumencode:x>" as e, "[<hexnumdecode:h>]" as d | fields n, e, d
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS h,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "h"
-- {attributes_key_2:String} = "n"
-- {attributes_key_3:String} = "x"

-- times
-- * | format "<time:x>" as t | fields n, t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "x"

-- arithmetic reads the same numbers
-- * | math x + 0 as s | fields n, s
-- above: extend: `add` is no function of its own
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "x"

-- missing fields
-- n:1 | format "[<hexnumdecode:z>][<hexnumencode:z>][<duration:z>][<ipv4:z>][<uc:z>]" as t | fields t
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS z
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key_2:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "z"
-- {attributes_key_2:String} = "n"
-- {attributes:String} = "1"
