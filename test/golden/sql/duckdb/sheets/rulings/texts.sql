-- lists of values
-- * | stats values(n) as v, values(t) as t, uniq_values(n) as u, values(_time) as ti, values(l) as l, values(big) limit 1 as b
-- above: aggregate: `values-as-texts`: it has no such function
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2, t0.attributes[$3] AS c3, t0.attributes[$4] AS c4
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "big"
-- $2 = "l"
-- $3 = "n"
-- $4 = "t"

-- lists of values, natively
-- * | stats values(n) as v, values(t) as t, uniq_values(n) as u, values(_time) as ti, values(l) as l, values(big) limit 1 as b
-- above: aggregate: `values`: it has no such function
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2, t0.attributes[$3] AS c3, t0.attributes[$4] AS c4
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "big"
-- $2 = "l"
-- $3 = "n"
-- $4 = "t"

-- rows as JSON
-- * | stats json_values(n, e, l, _time) as j, row_any(n, t, l, _time) as r, row_max(n, n, t) as m, row_min(_time, e, content) as i
-- above: aggregate: `json_values-as-texts`: it has no such function
SELECT epoch_ns(t0.time) AS _time, t0.content, t0.attributes[$1] AS c2, t0.attributes[$2] AS c3, t0.attributes[$3] AS c4, t0.attributes[$4] AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "e"
-- $2 = "l"
-- $3 = "n"
-- $4 = "t"

-- rows as JSON, natively
-- * | stats json_values(n, e, l, _time) as j, row_any(n, t, l, _time) as r, row_max(n, n, t) as m, row_min(_time, e, content) as i
-- above: aggregate: `json_values`: it has no such function
SELECT epoch_ns(t0.time) AS _time, t0.content, t0.attributes[$1] AS c2, t0.attributes[$2] AS c3, t0.attributes[$3] AS c4, t0.attributes[$4] AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "e"
-- $2 = "l"
-- $3 = "n"
-- $4 = "t"

-- packed rows
-- * | pack_json fields (n, e, t, big, _time) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2, t0.attributes[$3] AS c3, t0.attributes[$4] AS c4
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "big"
-- $2 = "e"
-- $3 = "n"
-- $4 = "t"

-- packed rows, natively
-- * | pack_json fields (n, e, t, big, _time) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2, t0.attributes[$3] AS c3, t0.attributes[$4] AS c4
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "big"
-- $2 = "e"
-- $3 = "n"
-- $4 = "t"

-- a field that is named is there, empty where it is missing
-- * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- rows of any form have what they have
-- * | fields * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- natively fields that are missing are left out
-- * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the item null is a text
-- content:two | unroll by (l) | fields l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE contains(t0.content, $2)
  AND (regexp_matches(t0.content, $3) OR regexp_matches(t0.content, $4) AND regexp_matches(t0.content, $5))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "l"
-- $2 = "two"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- natively it is missing
-- content:two | unroll by (l) | fields l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $2)
  AND (regexp_matches(lower(t0.content), $3) OR regexp_matches(lower(t0.content), $4) AND regexp_matches(lower(t0.content), $5))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "l"
-- $2 = "two"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a limit of 0 inside sort is none
-- * | sort by (_time) offset 1 limit 0 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
OFFSET $1;
-- $1 = 1

-- natively it leaves nothing
-- * | sort by (_time) limit 0 | fields content
-- above: values: rows written in the query never touch stored data

-- behind sort it leaves nothing
-- * | sort by (_time) | limit 0 | fields content
-- above: values: rows written in the query never touch stored data

-- edits leave missing texts missing
-- * | replace_regexp ("x*", "y") at e | replace_regexp ("^", "z") at zz | fields content, e, zz
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "e"
-- $2 = "zz"

-- an empty condition holds for every row
-- * | format if () "x" as x | stats count() if () as n, count() switch(case () as a, default as b), values(x) as x
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$1] AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "x"

-- inside parentheses behind a field every value is one of that field
-- content:(one OR n:1.5 :x) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (contains(t0.content, $1) AND (regexp_matches(t0.content, $2) OR regexp_matches(t0.content, $3) AND regexp_matches(t0.content, $4)) OR contains(t0.content, $5) AND (regexp_matches(t0.content, $6) OR regexp_matches(t0.content, $7) AND regexp_matches(t0.content, $8)) AND contains(t0.content, $9) AND (regexp_matches(t0.content, $10) OR regexp_matches(t0.content, $11) AND regexp_matches(t0.content, $12)))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "one"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])one(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])one(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $5 = "n:1.5"
-- $6 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])n:1\\.5(?:[^0-9A-Za-z_\\x{80}…
-- $7 = "(?s)(?:^|[^0-9A-Za-z_])n:1\\.5(?:[^0-9A-Za-z_]|$)"
-- $8 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $9 = ":x"
-- $10 = "(?s):x(?:[^0-9A-Za-z_\\x{80}-\\x{10ffff}]|$)"
-- $11 = "(?s):x(?:[^0-9A-Za-z_]|$)"
-- $12 = "(?s):x(?:[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- numbers of workers that are not said
-- options(concurrency=0, parallel_readers=0) * | stats count() as n
SELECT count(*) AS c0
FROM logs AS t0;

-- a value without a name is one of the text
-- content:two | format "a=1 =z b" | unpack_logfmt | fields a, b, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1
FROM logs AS t0
WHERE contains(lower(t0.content), $3)
  AND (regexp_matches(lower(t0.content), $4) OR regexp_matches(lower(t0.content), $5) AND regexp_matches(lower(t0.content), $6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "b"
-- $3 = "two"
-- $4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $5 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the same when only the text is needed
-- content:two | format "a=1 =z b" | unpack_logfmt | fields content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT TRUE AS c0
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "two"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- under a prefix, and in other fields, it is not
-- content:two | format "a=1 =z b" | copy content as x | unpack_logfmt result_prefix "p." | unpack_logfmt from x | fields p.a, a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes[$1] AS c0, t0.attributes[$2] AS c1
FROM logs AS t0
WHERE contains(lower(t0.content), $3)
  AND (regexp_matches(lower(t0.content), $4) OR regexp_matches(lower(t0.content), $5) AND regexp_matches(lower(t0.content), $6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "a"
-- $2 = "p.a"
-- $3 = "two"
-- $4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $5 = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
