-- lists of values
-- * | stats values(n) as v, values(t) as t, uniq_values(n) as u, values(_time) as ti, values(l) as l, values(big) limit 1 as b
-- above: aggregate: `values-as-texts`: it has no such function
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS big,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS l,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "big"
-- {attributes_key_2:String} = "l"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "t"

-- lists of values, natively
-- * | stats values(n) as v, values(t) as t, uniq_values(n) as u, values(_time) as ti, values(l) as l, values(big) limit 1 as b
-- above: aggregate: `values`: it has no such function
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS big,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS l,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "big"
-- {attributes_key_2:String} = "l"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "t"

-- rows as JSON
-- * | stats json_values(n, e, l, _time) as j, row_any(n, t, l, _time) as r, row_max(n, n, t) as m, row_min(_time, e, content) as i
-- above: aggregate: `json_values-as-texts`: it has no such function
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS l,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "e"
-- {attributes_key_2:String} = "l"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "t"

-- rows as JSON, natively
-- * | stats json_values(n, e, l, _time) as j, row_any(n, t, l, _time) as r, row_max(n, n, t) as m, row_min(_time, e, content) as i
-- above: aggregate: `json_values`: it has no such function
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS l,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "e"
-- {attributes_key_2:String} = "l"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "t"

-- packed rows
-- * | pack_json fields (n, e, t, big, _time) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS big,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "big"
-- {attributes_key_2:String} = "e"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "t"

-- packed rows, natively
-- * | pack_json fields (n, e, t, big, _time) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS big,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS t
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "big"
-- {attributes_key_2:String} = "e"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "t"

-- a field that is named is there, empty where it is missing
-- * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- rows of any form have what they have
-- * | fields * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- natively fields that are missing are left out
-- * | pack_logfmt fields (n, zz, co*) as p | fields p
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the item null is a text
-- content:two | unroll by (l) | fields l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS l
FROM logs AS t0
WHERE match(t0.content, {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(t0.content, {content_pattern_2:String}) OR match(t0.content, {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "l"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- natively it is missing
-- content:two | unroll by (l) | fields l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS l
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "l"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a limit of 0 inside sort is none
-- * | sort by (_time) offset 1 limit 0 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time, t0.seq DESC
OFFSET {offset:Int64};
-- {offset:Int64} = 1

-- natively it leaves nothing
-- * | sort by (_time) limit 0 | fields content
-- above: values: rows written in the query never touch stored data

-- behind sort it leaves nothing
-- * | sort by (_time) | limit 0 | fields content
-- above: values: rows written in the query never touch stored data

-- edits leave missing texts missing
-- * | replace_regexp ("x*", "y") at e | replace_regexp ("^", "z") at zz | fields content, e, zz
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS zz
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "e"
-- {attributes_key_2:String} = "zz"

-- an empty condition holds for every row
-- * | format if () "x" as x | stats count() if () as n, count() switch(case () as a, default as b), values(x) as x
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS x
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "x"

-- inside parentheses behind a field every value is one of that field
-- content:(one OR n:1.5 :x) | fields content
SELECT t0.content
FROM logs AS t0
WHERE (match(t0.content, {content_pattern:String}) AND (length(t0.content) = lengthUTF8(t0.content) OR match(t0.content, {content_pattern_2:String}) OR match(t0.content, {content_pattern_3:String})) OR match(t0.content, {content_pattern_4:String}) AND (length(t0.content) = lengthUTF8(t0.content) OR match(t0.content, {content_pattern_5:String}) OR match(t0.content, {content_pattern_6:String})) AND match(t0.content, {content_pattern_7:String}) AND (length(t0.content) = lengthUTF8(t0.content) OR match(t0.content, {content_pattern_8:String}) OR match(t0.content, {content_pattern_9:String})))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])one(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])one(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])n:1\\.5(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])n:1\\.5(?:[^0-9A-Za-z_\\x{80}…
-- {content_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_7:String} = "(?s):x(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_8:String} = "(?s):x(?:[^0-9A-Za-z_\\x{80}-\\x{10ffff}]|$)"
-- {content_pattern_9:String} = "(?s):x(?:[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- numbers of workers that are not said
-- options(concurrency=0, parallel_readers=0) * | stats count() as n
SELECT count(*) AS n
FROM logs AS t0;

-- a value without a name is one of the text
-- content:two | format "a=1 =z b" | unpack_logfmt | fields a, b, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS a,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS b
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a"
-- {attributes_key_2:String} = "b"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the same when only the text is needed
-- content:two | format "a=1 =z b" | unpack_logfmt | fields content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT true AS c0
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- under a prefix, and in other fields, it is not
-- content:two | format "a=1 =z b" | copy content as x | unpack_logfmt result_prefix "p." | unpack_logfmt from x | fields p.a, a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS a,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `p.a`
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a"
-- {attributes_key_2:String} = "p.a"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a member without a name is the text
-- content:two | format "{\"\":\"z\",\"a\":1}" | unpack_json | fields a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS a
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the same when only the text is needed
-- content:two | format "{\"\":\"z\",\"a\":1}" | unpack_json | fields content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT true AS c0
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- under a prefix, and in other fields, it is not the text
-- content:two | format "{\"\":\"z\",\"a\":1}" | copy content as x | unpack_json result_prefix "p." | unpack_json from x | fields p.a, a, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS a,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `p.a`
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "a"
-- {attributes_key_2:String} = "p.a"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])two(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])two(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- the lower end of a string_range belongs to it, the upper one does not
-- cluster:string_range(a, c) | fields cluster
SELECT t0.cluster
FROM logs AS t0
WHERE t0.cluster <> ''
  AND t0.cluster >= {cluster_from:String}
  AND t0.cluster < {cluster_below:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {cluster_from:String} = "a"
-- {cluster_below:String} = "c"

-- comparisons of strings have their ends where they say
-- cluster:>=b cluster:<c | fields cluster
SELECT t0.cluster
FROM logs AS t0
WHERE t0.cluster <> ''
  AND t0.cluster >= {cluster_from:String}
  AND (t0.cluster < {cluster_below:String} OR t0.cluster IS NULL OR t0.cluster = '')
ORDER BY t0.time DESC, t0.seq DESC;
-- {cluster_from:String} = "b"
-- {cluster_below:String} = "c"
