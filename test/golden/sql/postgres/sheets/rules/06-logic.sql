-- AND is tighter than OR
-- a or b c | fields content
SELECT t0.content
FROM logs AS t0
WHERE ((position($1::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $2::text) OR (position($3::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $4::text) AND (position($5::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $6::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "a"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "b"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5::text = "c"
-- $6::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- parentheses
-- (a or b) c | fields content
SELECT t0.content
FROM logs AS t0
WHERE ((position($1::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $2::text) OR (position($3::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $4::text))
  AND (position($5::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "a"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "b"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5::text = "c"
-- $6::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- NOT is tighter than AND
-- not a c | fields content
SELECT t0.content
FROM logs AS t0
WHERE (NOT (position($1::text IN lower(t0.content)) > 0) OR NOT (lower(t0.content) ~ $2::text) OR t0.content IS NULL OR t0.content = '')
  AND (position($3::text IN lower(t0.content)) > 0)
  AND (lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "a"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "c"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- any case
-- a AND NOT c Or b aNd c | fields content
SELECT t0.content
FROM logs AS t0
WHERE ((position($1::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $2::text) AND (NOT (position($3::text IN lower(t0.content)) > 0) OR NOT (lower(t0.content) ~ $4::text) OR t0.content IS NULL OR t0.content = '') OR (position($5::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $6::text) AND (position($7::text IN lower(t0.content)) > 0) AND (lower(t0.content) ~ $8::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "a"
-- $2::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $3::text = "c"
-- $4::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5::text = "b"
-- $6::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $7::text = "c"
-- $8::text = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
