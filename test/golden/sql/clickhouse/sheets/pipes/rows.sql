-- coalesce
-- * | coalesce(level, zeta, workload) default "?" as first | fields first
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS zeta
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "zeta"

-- copy and rename keep what they should
-- * | copy level as l, n as m | rename workload as w, l as level | fields level, w, m, workload
SELECT t0.level, t0.workload AS w,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS m,
  NULL AS workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- rename by prefix
-- * | rename t* as x.t* | fields x.tags, tags
-- above: rename: undeclared fields chosen by a pattern are only known row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- delete
-- * | delete content, t*, _time
SELECT t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.status, t0.duration_ms,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- drop empty fields
-- * | fields level, workload, n | drop_empty_fields
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- extract, with a quoted value
-- * | extract "user=<user> " from content | fields user
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- extract keeps, skips
-- * | extract "level=<level> " keep_original_fields | fields level
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- extract skips empty results
-- * | extract "level=<level> " skip_empty_results | fields level
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- extract if
-- * | extract if (workload:web) "ms=<ms>" | fields ms
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"

-- named groups
-- * | extract_regexp "(?P<ip>[0-9.]+):(?P<port>[0-9]+)" | fields ip, port
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- format
-- * | format "<uc:level>/<workload>/<q:n>" as f | fields f
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- lengths
-- * | len(content) as bytes | json_array_len(tags) as items | fields bytes, items
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS tags
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "tags"

-- lists
-- * | json_array_concat "+" from tags as t | json_array_get -1 from tags as last | fields t, last
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS tags
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "tags"

-- split and words
-- * | split "=" from content as parts | unpack_words as words drop_duplicates | fields parts, words | limit 2
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {limit:Int64} = 2

-- unroll
-- * | unroll (tags) | fields workload, tags
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS tags
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "tags"

-- hash
-- * | hash(workload) as h | fields h
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- pack the whole row, in answer order
-- * | pack_json as j | fields j
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- pack some fields
-- * | pack_json fields (w*, level) as j | pack_logfmt fields (n, level) as l | fields j, l
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- unpack JSON
-- * | unpack_json from content result_prefix "j." | fields j.user, j.deep.x, j.deep.y, j.list, j.none
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS `j.deep.x`,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS `j.deep.y`,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS `j.list`,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS `j.none`,
  if(mapContains(t0.attributes, {attributes_key_5:String}), t0.attributes[{attributes_key_5:String}], NULL) AS `j.user`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "j.deep.x"
-- {attributes_key_2:String} = "j.deep.y"
-- {attributes_key_3:String} = "j.list"
-- {attributes_key_4:String} = "j.none"
-- {attributes_key_5:String} = "j.user"

-- unpack JSON into the row
-- * | unpack_json from content fields (user, deep*) preserve_keys (deep) | delete content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- unpack logfmt
-- * | unpack_logfmt fields (level, user) | fields level, user
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- replace
-- * | replace ("a", "A") at workload limit 1 | replace_regexp ("([0-9]+)ms", "<$1>") at content | fields workload, content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- collapse numbers
-- * | decolorize | collapse_nums prettify | fields content
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- move the time
-- * | time_add 1h30m | fields _time
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- arithmetic
-- * | math n * 2 as double, double default 0 as d, round(d / 7, 0.01) as r, n as plain | fields double, d, r, plain
-- above: extend: `mul` is no function of its own
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- arithmetic on times is exact
-- * | math (_time - 1767225600000000001) as ns, ns % 7 as m, 2 ^ 0.5 as root, -ns as minus, 7 & 12 as a, 7 xor 12 as x | fields ns, m, root, minus, a, x | limit 1
-- above: extend: `sub` is no function of its own
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {limit:Int64} = 1

-- arithmetic with what is not a number
-- * | math workload + 1 as a, 1 / 0 as b, 0 / 0 as c, max(n, 5) as d | fields a, b, c, d
-- above: extend: `add` is no function of its own
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- set the fields of a stream
-- * | set_stream_fields workload, level | fields _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- drop empty fields keeps stored rows, which have a time, and drops others that are left with nothing
-- * | drop_empty_fields | stats count() as all, count(level) as levels | union (* | fields level | drop_empty_fields | stats count() as all, count(level) as levels)
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
SELECT t0.level
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- drop empty fields of which only some are read
-- * | drop_empty_fields | fields level, zeta
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS zeta
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "zeta"

-- a limit by no field counts all rows together, behind its offset
-- * | limit 1 by () offset 2 | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64}
OFFSET {offset:Int64};
-- {attributes_key:String} = "n"
-- {limit:Int64} = 1
-- {offset:Int64} = 2
