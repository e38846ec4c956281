-- top
-- * | top 2 by (workload)
SELECT nullIf(t0.workload, '') AS workload, count(*) AS hits,
  match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c2
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY hits DESC, c2 DESC, workload
LIMIT {limit:Int64};
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 2

-- top with a rank and a name
-- * | top 5 by (level) hits as n rank as pos
-- above: sort: it orders texts that are numbers or times by their characters
SELECT nullIf(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.level, '')
ORDER BY level;

-- distinct values
-- * | uniq by (level)
SELECT nullIf(t0.level, '') AS level
FROM logs AS t0
GROUP BY nullIf(t0.level, '')
ORDER BY level;

-- distinct combinations with hits and a limit
-- * | uniq by (workload, level) with hits limit 3
SELECT nullIf(t0.workload, '') AS workload, nullIf(t0.level, '') AS level, count(*) AS hits,
  match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c3,
  match(nullIf(t0.level, ''), {level_pattern:String}) AS c4
FROM logs AS t0
GROUP BY nullIf(t0.workload, ''), nullIf(t0.level, '')
ORDER BY c3 DESC, workload, c4 DESC, level
LIMIT {limit:Int64};
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {level_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 3

-- first in an order, of each partition
-- * | first 1 by (ms) partition by (workload) rank as r | fields workload, ms, r
-- above: project: it orders texts that are numbers or times by their characters
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"

-- last in an order
-- * | last 2 by (ms) | fields ms, content
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms,
  t0.content,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c2,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c3, toUnixTimestamp64Nano(t0.time) AS c4,
  t0.seq AS c5
FROM logs AS t0
ORDER BY c2 DESC, c3 DESC, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 2

-- last by all fields
-- * | fields level, workload | last 2
SELECT t0.level, t0.workload, match(nullIf(t0.level, ''), {level_pattern:String}) AS c2,
  nullIf(t0.level, '') AS c3, match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c4,
  nullIf(t0.workload, '') AS c5, toUnixTimestamp64Nano(t0.time) AS c6, t0.seq AS c7
FROM logs AS t0
ORDER BY c2 DESC, c3 DESC, c4 DESC, c5 DESC, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {level_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 2

-- sort by all fields
-- * | fields level, workload | first 3
SELECT t0.level, t0.workload, match(nullIf(t0.level, ''), {level_pattern:String}) AS c2,
  nullIf(t0.level, '') AS c3, match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c4,
  nullIf(t0.workload, '') AS c5, toUnixTimestamp64Nano(t0.time) AS c6, t0.seq AS c7
FROM logs AS t0
ORDER BY c2 DESC, c3, c4 DESC, c5, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {level_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 3

-- sort with a limit for each partition
-- * | sort by (_time) limit 1 partition by (workload) | fields workload, content
SELECT q1.c1 AS workload, q1.c2 AS content
FROM (
  SELECT toUnixTimestamp64Nano(t0.time) AS c0, t0.workload AS c1, t0.content AS c2,
    row_number() OVER (PARTITION BY nullIf(t0.workload, '') ORDER BY t0.time, t0.seq DESC) AS c3,
    t0.time AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
) AS q1
WHERE q1.c3 <= {row_to:Int64}
ORDER BY q1.c4, q1.c5 DESC;
-- {row_to:Int64} = 1

-- ties stay together
-- * | stats by (workload) count() n | sort by (n desc) limit 2 with ties
-- above: table-apply: table functions see whole rows of any shape
SELECT nullIf(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY n DESC, workload;

-- facets
-- * | fields level, workload, host | facets 2
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS host
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "host"

-- names of fields
-- * | field_names
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- values of a field
-- * | field_values level
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a sequence of numbers
-- * | generate_sequence 3
-- above: table-apply: table functions see whole rows of any shape
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- templates of a text
-- * | patterns 2
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- running and total values
-- * | running_stats by (workload) sum(ms) run, count() n | total_stats count() all | fields workload, ms, run, n, all
-- above: window: `sum`: numbers are looked for in its values one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"

-- neighbours of a row
-- workload:web | window partition by (workload) order by (_time) lag(content) as before, row_number() as n | fields content, before, n
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS before,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
WHERE lower(t0.workload) = {workload:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "before"
-- {attributes_key_2:String} = "n"
-- {workload:String} = "web"

-- neighbours that are not there, and neighbours without the field
-- * | window order by (_time) lag(ms, 2, 0) as before, lead(ms, 1, "") as after, lag(nowhere, 1, x) as other | sort by (_time) | fields ms, before, after, other
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS after,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS before,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS ms,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS nowhere,
  if(mapContains(t0.attributes, {attributes_key_5:String}), t0.attributes[{attributes_key_5:String}], NULL) AS other
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "after"
-- {attributes_key_2:String} = "before"
-- {attributes_key_3:String} = "ms"
-- {attributes_key_4:String} = "nowhere"
-- {attributes_key_5:String} = "other"

-- join with rows, left and inner
-- * | join by (workload) rows({"workload":"api","owner":"ann","level":"x"},{"workload":"job","owner":"bob"}) | fields workload, owner, level
-- above: values: rows written in the query never touch stored data
SELECT t0.level, t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS owner
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "owner"

-- an inner join with a prefix
-- * | join by (workload) (level:error | fields workload, ms) inner prefix "e." | fields workload, ms, e.ms
SELECT q2.c0 AS workload, q2.c2 AS ms,
  CASE WHEN q2.c1 <> '' THEN q2.c1 ELSE coalesce(q3.c1, q2.c1) END AS `e.ms`
FROM (
  SELECT t0.workload AS c0,
    if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS c1,
    if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS c2,
    true AS c3, nullIf(t0.workload, '') AS c4, t0.time AS c5, toUnixTimestamp64Nano(t0.time) AS c6,
    t0.seq AS c7, t0.seq AS c8
  FROM logs AS t0
) AS q2 JOIN (
  SELECT t1.workload AS c0,
    if(mapContains(t1.attributes, {attributes_key_2:String}), t1.attributes[{attributes_key_2:String}], NULL) AS c1,
    true AS c2, nullIf(t1.workload, '') AS c3, t1.time AS c4, toUnixTimestamp64Nano(t1.time) AS c5,
    t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE lower(t1.level) = {level:String}
) AS q3 ON q2.c4 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c5 DESC, q2.c7 DESC, q3.c4 DESC, q3.c6 DESC;
-- {attributes_key:String} = "e.ms"
-- {attributes_key_2:String} = "ms"
-- {level:String} = "error"

-- a condition on a name that only clashing gives its prefix
-- * | join by (workload) (level:error | stats by (workload) max(ms) as ms) inner prefix "e" clashing | filter e.ms:>5 | fields workload, ms, e.ms
-- above: join: which undeclared fields collide is known row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
SELECT nullIf(t0.workload, '') AS workload,
  maxOrNull(nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String})) AS c1,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}))) AS c2
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {level:String} = "error"

-- an own value of a left row stands before a computed one of the right side
-- * | join by (workload) (level:error | stats by (workload) count() as hits, count() as ms) | stats by (workload) sum(ms) as ms, sum(hits) as hits
-- above: join: values of different kinds meet in one field
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS hits,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "hits"
-- {attributes_key_2:String} = "ms"
SELECT nullIf(t0.workload, '') AS workload, count(*) AS hits, count(*) AS ms
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;
-- {level:String} = "error"

-- equal parts of a union and of a join
-- * | stats by (workload) count() as n | union (* | stats by (workload) count() as n | filter n:>1) | join by (workload) (* | stats by (workload) count() as n) prefix "all_"
-- above: join: it orders texts that are numbers or times by their characters
SELECT nullIf(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;
SELECT nullIf(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
HAVING count(*) >= {count_from:Int64}
ORDER BY workload;
-- {count_from:Int64} = 2

-- branches of one table whose order does not show
-- level:error | union (level:info) | union (ms:>3) | stats by (workload) count() as n, sum(ms) as ms
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
WHERE lower(t0.level) IN ({level:String}, {level_2:String}, {level_3:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"
-- {level:String} = "error"
-- {level_2:String} = "info"
-- {level_3:String} = "İnfo"
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- union
-- level:error | fields content | union (level:info | fields content, workload)
SELECT q2.c2 AS content, q2.c3 AS workload
FROM (
  SELECT {value:Int64} AS c0, row_number() OVER (ORDER BY t0.time DESC, t0.seq DESC) AS c1, t0.content AS c2,
    NULL AS c3
  FROM logs AS t0
  WHERE lower(t0.level) = {level:String}
  UNION ALL
  SELECT {value_2:Int64} AS c0, row_number() OVER (ORDER BY t1.time DESC, t1.seq DESC) AS c1,
    t1.content AS c2, t1.workload AS c3
  FROM logs AS t1
  WHERE lower(t1.level) IN ({level_2:String}, {level_3:String})
) AS q2
ORDER BY q2.c0, q2.c1;
-- {value:Int64} = 0
-- {level:String} = "error"
-- {value_2:Int64} = 1
-- {level_2:String} = "info"
-- {level_3:String} = "İnfo"

-- a sample is the same everywhere
-- * | sample 2 rows | fields content
-- above: sample: rows that are not stored records are sampled by their place

-- time buckets, with gaps filled
-- * | stats by (_time:1h) count() n
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64})
ORDER BY _time;
-- {time_width:Int64} = 3600000000000

-- gaps are filled
-- * | stats by (_time:1h fill) count() n, max(ms) most
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS _time,
  count(*) AS n,
  maxOrNull(nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE NOT match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String})) AS c2,
  toJSONString(groupArray(DISTINCT nullIf(t0.attributes[{attributes_key:String}], '')) FILTER (WHERE match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}))) AS c3
FROM logs AS t0
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64})
ORDER BY _time;
-- {time_width:Int64} = 3600000000000
-- {attributes_key:String} = "ms"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- neighbours in the stream
-- level:error | stream_context before 1 after 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.level, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((lower(t0.level) = {level:String})) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {level:String} = "error"

-- behind the last of several chunks, too
-- level:error | stream_context before 1 after 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.level, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((match(t0.level, {level_pattern:String}) AND (length(t0.level) = lengthUTF8(t0.level) OR match(t0.level, {level_pattern_2:String}) OR match(t0.level, {level_pattern_3:String})))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {level_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- {level_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- {level_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- but not behind the only one
-- workload:web level:error | stream_context before 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.level, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((match(t0.workload, {workload_pattern:String}) AND (length(t0.workload) = lengthUTF8(t0.workload) OR match(t0.workload, {workload_pattern_2:String}) OR match(t0.workload, {workload_pattern_3:String})) AND match(t0.level, {level_pattern:String}) AND (length(t0.level) = lengthUTF8(t0.level) OR match(t0.level, {level_pattern_2:String}) OR match(t0.level, {level_pattern_3:String})))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {workload_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])web(?:[^0-9A-Za-z_]|$)"
-- {workload_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])web(?:[^0-9A-Za-z_\\x{80}-\\x…
-- {workload_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {level_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- {level_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- {level_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a match alone has no neighbours and nothing to stand behind it
-- level:error workload:web | stream_context before 0 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.level, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((lower(t0.level) = {level:String} AND lower(t0.workload) = {workload:String})) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {level:String} = "error"
-- {workload:String} = "web"

-- neighbours of no match
-- nothing | stream_context before 1 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((match(lower(t0.content), {content_pattern:String}) AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String})))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])noth[iİ]ng(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- each match has a chunk, which ends before the next match
-- workload:api -level:info | stream_context after 5 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.level, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((lower(t0.workload) IN ({workload:String}, {workload_2:String}) AND (NOT (lower(t0.level) IN ({level:String}, {level_2:String})) OR t0.level IS NULL OR t0.level = ''))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {workload:String} = "api"
-- {workload_2:String} = "apİ"
-- {level:String} = "info"
-- {level_2:String} = "İnfo"

-- rows before a match, those of another chunk left out
-- workload:api | stream_context before 2 after 2 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((lower(t0.workload) IN ({workload:String}, {workload_2:String}))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {workload:String} = "api"
-- {workload_2:String} = "apİ"

-- a neighbour too far from one match and near to the next
-- content:in("took 1ms", "took 5ms") | stream_context before 1 after 1 time_window 15m | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((lower(t0.content) IN ({content:String}, {content_2:String}, {content_3:String}, {content_4:String}))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {content:String} = "took 1ms"
-- {content_2:String} = "tooK 1ms"
-- {content_3:String} = "took 5ms"
-- {content_4:String} = "tooK 5ms"

-- where one chunk ends and the other begins
-- content:in("took 1ms", "took 5ms") | stream_context before 1 after 1 | fields _time, content
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  ((lower(t0.content) IN ({content:String}, {content_2:String}, {content_3:String}, {content_4:String}))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {content:String} = "took 1ms"
-- {content_2:String} = "tooK 1ms"
-- {content_3:String} = "took 5ms"
-- {content_4:String} = "tooK 5ms"

-- no rows at all
-- nothing | top 2 by (workload)
SELECT nullIf(t0.workload, '') AS workload, count(*) AS hits,
  match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c2
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
GROUP BY nullIf(t0.workload, '')
ORDER BY hits DESC, c2 DESC, workload
LIMIT {limit:Int64};
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])noth[iİ]ng(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {limit:Int64} = 2

-- no facets of nothing
-- nothing | facets
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])noth[iİ]ng(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- places in a partition
-- * | window partition by (level) order by (workload) rank() as r, dense_rank() as d, lead(content, 1, "none") as after, row_number() as n | fields level, workload, r, d, n, after
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.workload, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS after,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS d,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS r
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "after"
-- {attributes_key_2:String} = "d"
-- {attributes_key_3:String} = "n"
-- {attributes_key_4:String} = "r"

-- gaps are filled with a value, for each group
-- level:in(error, "") or workload:web | stats by (_time:1h fill 0, workload) count() n
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS _time,
  nullIf(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
WHERE (lower(t0.level) = {level:String} OR t0.level IS NULL OR t0.level = '' OR lower(t0.workload) = {workload:String})
GROUP BY toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}), nullIf(t0.workload, '')
ORDER BY _time, workload;
-- {time_width:Int64} = 3600000000000
-- {level:String} = "error"
-- {workload:String} = "web"

-- sort ties beyond the limit
-- * | sort by (level) limit 1 with ties | fields level, content
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.content, nullIf(t0.level, '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;

-- the page behind a row
-- * | sort by (_time, content) after (2026-01-01T00:20:00Z, "ok") limit 2 | fields content
-- above: scan: the condition is a function that is not its own
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- full and right joins
-- level:error | fields workload, ms | join by (workload) (* | stats by (workload) count() n) full | fields workload, ms, n
-- above: join: it orders texts that are numbers or times by their characters
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS ms
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "ms"
-- {level:String} = "error"
SELECT nullIf(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY nullIf(t0.workload, '')
ORDER BY workload;

-- a key of the right side does not fill a field of the left one
-- level:"" | fields workload, level | sort by (workload) | join by (workload = level) (level:error | limit 1) cross | fields workload, level
SELECT CASE WHEN q2.c0 <> '' THEN q2.c0 ELSE coalesce(q3.c3, q2.c0) END AS workload, q2.c1 AS level,
  q2.c5 AS c2, q2.c7 AS c3, q2.c9 AS c4, q3.c0 AS c5, q3.c17 AS c6
FROM (
  SELECT t0.workload AS c0, t0.level AS c1, true AS c2, nullIf(t0.workload, '') AS c3,
    match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c4, nullIf(t0.workload, '') AS c5,
    t0.time AS c6, toUnixTimestamp64Nano(t0.time) AS c7, t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE (t0.level IS NULL OR t0.level = '')
) AS q2 CROSS JOIN (
  SELECT toUnixTimestamp64Nano(t1.time) AS c0, t1.seq AS c1, t1.level AS c2, t1.workload AS c3,
    t1.namespace AS c4, t1.env AS c5, t1.cluster AS c6, t1.pod AS c7, t1.trace_id AS c8, t1.status AS c9,
    t1.duration_ms AS c10, t1.content AS c11, true AS c12, nullIf(t1.level, '') AS c13,
    t1.attributes AS c14, t1.time AS c15, t1.seq AS c16, t1.seq AS c17
  FROM logs AS t1
  WHERE lower(t1.level) = {level:String}
  ORDER BY t1.time DESC, t1.seq DESC
  LIMIT {limit:Int64}
) AS q3
ORDER BY q2.c5, q2.c6 DESC, q2.c8 DESC, q3.c15 DESC, q3.c16 DESC;
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {level:String} = "error"
-- {limit:Int64} = 1

-- what errors have in common
-- * | compare (level:error) 4 | fields field_name, field_value, hits, others
-- above: table-apply: table functions see whole rows of any shape
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  ((lower(t0.level) = {level:String})) IS TRUE AS c12, toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
