-- lists of values
-- * | stats values(n) as v, values(t) as t, uniq_values(n) as u, values(_time) as ti, values(l) as l, values(big) limit 1 as b
-- above: aggregate: `values-as-texts`: it has no such function
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS big,
  t0.attributes -> $2::text AS l, t0.attributes -> $3::text AS n, t0.attributes -> $4::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "big"
-- $2 attributes_key_2 = "l"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "t"

-- lists of values, natively
-- * | stats values(n) as v, values(t) as t, uniq_values(n) as u, values(_time) as ti, values(l) as l, values(big) limit 1 as b
-- above: aggregate: `values`: it has no such function
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS big,
  t0.attributes -> $2::text AS l, t0.attributes -> $3::text AS n, t0.attributes -> $4::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "big"
-- $2 attributes_key_2 = "l"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "t"

-- rows as JSON
-- * | stats json_values(n, e, l, _time) as j, row_any(n, t, l, _time) as r, row_max(n, n, t) as m, row_min(_time, e, content) as i
-- above: aggregate: `json_values-as-texts`: it has no such function
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.content,
  t0.attributes -> $1::text AS e, t0.attributes -> $2::text AS l, t0.attributes -> $3::text AS n,
  t0.attributes -> $4::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "e"
-- $2 attributes_key_2 = "l"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "t"

-- rows as JSON, natively
-- * | stats json_values(n, e, l, _time) as j, row_any(n, t, l, _time) as r, row_max(n, n, t) as m, row_min(_time, e, content) as i
-- above: aggregate: `json_values`: it has no such function
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.content,
  t0.attributes -> $1::text AS e, t0.attributes -> $2::text AS l, t0.attributes -> $3::text AS n,
  t0.attributes -> $4::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "e"
-- $2 attributes_key_2 = "l"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "t"

-- packed rows
-- * | pack_json fields (n, e, t, big, _time) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS big,
  t0.attributes -> $2::text AS e, t0.attributes -> $3::text AS n, t0.attributes -> $4::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "big"
-- $2 attributes_key_2 = "e"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "t"

-- packed rows, natively
-- * | pack_json fields (n, e, t, big, _time) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS big,
  t0.attributes -> $2::text AS e, t0.attributes -> $3::text AS n, t0.attributes -> $4::text AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "big"
-- $2 attributes_key_2 = "e"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "t"

-- a field that is named is there, empty where it is missing
-- * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- rows of any form have what they have
-- * | fields * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- natively fields that are missing are left out
-- * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the item null is a text
-- content:two | unroll by (l) | fields l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS l
FROM logs AS t0
WHERE t0.content LIKE $2::text
  AND (t0.content ~ $3::text OR t0.content ~ $4::text AND t0.content ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "l"
-- $2 content_pattern = "%two%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- natively it is missing
-- content:two | unroll by (l) | fields l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS l
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "l"
-- $2 content_pattern = "%two%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a limit of 0 inside sort is none
-- * | sort by (_time) offset 1 limit 0 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
OFFSET $1::bigint;
-- $1 offset = 1

-- natively it leaves nothing
-- * | sort by (_time) limit 0 | fields content
-- above: values: rows written in the query never touch stored data

-- behind sort it leaves nothing
-- * | sort by (_time) | limit 0 | fields content
-- above: values: rows written in the query never touch stored data

-- edits leave missing texts missing
-- * | replace_regexp ("x*", "y") at e | replace_regexp ("^", "z") at zz | fields content, e, zz
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content, t0.attributes -> $1::text AS e, t0.attributes -> $2::text AS zz
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "e"
-- $2 attributes_key_2 = "zz"

-- an empty condition holds for every row
-- * | format if () "x" as x | stats count() if () as n, count() switch(case () as a, default as b), values(x) as x
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "x"

-- inside parentheses behind a field every value is one of that field
-- content:(one OR n:1.5 :x) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (t0.content LIKE $1::text AND (t0.content ~ $2::text OR t0.content ~ $3::text AND t0.content ~ $4::text) OR t0.content LIKE $5::text AND (t0.content ~ $6::text OR t0.content ~ $7::text AND t0.content ~ $8::text) AND t0.content LIKE $9::text AND (t0.content ~ $10::text OR t0.content ~ $11::text AND t0.content ~ $12::text))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%one%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])one(?:[\\u0001-/…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])one(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $5 content_pattern_5 = "%n:1.5%"
-- $6 content_pattern_6 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])n:1\\.5(?:[\\u00…
-- $7 content_pattern_7 = "(?s)(?:^|[^0-9A-Za-z_])n:1\\.5(?:[^0-9A-Za-z_]|$)"
-- $8 content_pattern_8 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $9 content_pattern_9 = "%:x%"
-- $10 content_pattern_10 = "(?s):x(?:[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f]|$)"
-- $11 content_pattern_11 = "(?s):x(?:[^0-9A-Za-z_]|$)"
-- $12 content_pattern_12 = "(?s):x(?:[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- numbers of workers that are not said
-- options(concurrency=0, parallel_readers=0) * | stats count() as n
SELECT count(*) AS n
FROM logs AS t0;

-- a value without a name is one of the text
-- content:two | format "a=1 =z b" | unpack_logfmt | fields a, b, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS b
FROM logs AS t0
WHERE t0.content ILIKE $3::text
  AND (t0.content ~* $4::text OR t0.content ~* $5::text AND lower(t0.content) ~ $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "b"
-- $3 content_pattern = "%two%"
-- $4 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $5 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $6 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the same when only the text is needed
-- content:two | format "a=1 =z b" | unpack_logfmt | fields content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT TRUE AS c0
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%two%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- under a prefix, and in other fields, it is not
-- content:two | format "a=1 =z b" | copy content as x | unpack_logfmt result_prefix "p." | unpack_logfmt from x | fields p.a, a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS "p.a"
FROM logs AS t0
WHERE t0.content ILIKE $3::text
  AND (t0.content ~* $4::text OR t0.content ~* $5::text AND lower(t0.content) ~ $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "p.a"
-- $3 content_pattern = "%two%"
-- $4 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $5 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $6 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a member without a name is the text
-- content:two | format "{\"\":\"z\",\"a\":1}" | unpack_json | fields a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS a
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 content_pattern = "%two%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the same when only the text is needed
-- content:two | format "{\"\":\"z\",\"a\":1}" | unpack_json | fields content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT TRUE AS c0
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%two%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- under a prefix, and in other fields, it is not the text
-- content:two | format "{\"\":\"z\",\"a\":1}" | copy content as x | unpack_json result_prefix "p." | unpack_json from x | fields p.a, a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS a, t0.attributes -> $2::text AS "p.a"
FROM logs AS t0
WHERE t0.content ILIKE $3::text
  AND (t0.content ~* $4::text OR t0.content ~* $5::text AND lower(t0.content) ~ $6::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "a"
-- $2 attributes_key_2 = "p.a"
-- $3 content_pattern = "%two%"
-- $4 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])two(?:[\\u0001-/…
-- $5 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $6 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- the lower end of a string_range belongs to it, the upper one does not
-- cluster:string_range(a, c) | fields cluster
SELECT t0.cluster
FROM logs AS t0
WHERE t0.cluster <> ''
  AND t0.cluster >= $1::text
  AND t0.cluster < $2::text
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 cluster_from = "a"
-- $2 cluster_below = "c"

-- comparisons of strings have their ends where they say
-- cluster:>=b cluster:<c | fields cluster
SELECT t0.cluster
FROM logs AS t0
WHERE t0.cluster <> ''
  AND t0.cluster >= $1::text
  AND (t0.cluster < $2::text OR t0.cluster IS NULL OR t0.cluster = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 cluster_from = "b"
-- $2 cluster_below = "c"
