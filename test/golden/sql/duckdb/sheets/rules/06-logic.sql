-- AND is tighter than OR
-- a or b c | fields content
SELECT t0.content
FROM logs AS t0
WHERE (contains(lower(t0.content), $1) AND regexp_matches(lower(t0.content), $2) OR contains(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4) AND contains(lower(t0.content), $5) AND regexp_matches(lower(t0.content), $6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "b"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "c"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- parentheses
-- (a or b) c | fields content
SELECT t0.content
FROM logs AS t0
WHERE (contains(lower(t0.content), $1) AND regexp_matches(lower(t0.content), $2) OR contains(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
  AND contains(lower(t0.content), $5)
  AND regexp_matches(lower(t0.content), $6)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "b"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "c"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- NOT is tighter than AND
-- not a c | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (contains(lower(t0.content), $1) AND regexp_matches(lower(t0.content), $2)) OR t0.content IS NULL OR t0.content = '')
  AND contains(lower(t0.content), $3)
  AND regexp_matches(lower(t0.content), $4)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "c"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- any case
-- a AND NOT c Or b aNd c | fields content
SELECT t0.content
FROM logs AS t0
WHERE (contains(lower(t0.content), $1) AND regexp_matches(lower(t0.content), $2) AND (NOT (contains(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4)) OR t0.content IS NULL OR t0.content = '') OR contains(lower(t0.content), $5) AND regexp_matches(lower(t0.content), $6) AND contains(lower(t0.content), $7) AND regexp_matches(lower(t0.content), $8))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $3 = "c"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "b"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $7 = "c"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
