-- top
-- * | top 2 by (workload)
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, regexp_matches(NULLIF(t0.workload, ''), $1) AS c2
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY c1 DESC, c2 DESC, workload
LIMIT $2;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = 2

-- top with a rank and a name
-- * | top 5 by (level) hits as n rank as pos
-- above: sort: it orders texts that are numbers or times by their characters
SELECT NULLIF(t0.level, '') AS level, count(*) AS c1
FROM logs AS t0
GROUP BY NULLIF(t0.level, '')
ORDER BY level;

-- distinct values
-- * | uniq by (level)
SELECT NULLIF(t0.level, '') AS level
FROM logs AS t0
GROUP BY NULLIF(t0.level, '')
ORDER BY level;

-- distinct combinations with hits and a limit
-- * | uniq by (workload, level) with hits limit 3
SELECT NULLIF(t0.workload, '') AS workload, NULLIF(t0.level, '') AS level, count(*) AS c2, regexp_matches(NULLIF(t0.workload, ''), $1) AS c3, regexp_matches(NULLIF(t0.level, ''), $2) AS c4
FROM logs AS t0
GROUP BY NULLIF(t0.workload, ''), NULLIF(t0.level, '')
ORDER BY c3 DESC, workload, c4 DESC, level
LIMIT $3;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 3

-- first in an order, of each partition
-- * | first 1 by (ms) partition by (workload) rank as r | fields workload, ms, r
-- above: project: it orders texts that are numbers or times by their characters
SELECT t0.workload, t0.attributes[$1] AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"

-- last in an order
-- * | last 2 by (ms) | fields ms, content
SELECT t0.attributes[$1] AS c0, t0.content, regexp_matches(NULLIF(t0.attributes[$1], ''), $2) AS c2, NULLIF(t0.attributes[$1], '') AS c3, epoch_ns(t0.time) AS c4, t0.seq AS c5
FROM logs AS t0
ORDER BY c2 DESC, c3 DESC, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "ms"
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 2

-- last by all fields
-- * | fields level, workload | last 2
SELECT t0.level, t0.workload, regexp_matches(NULLIF(t0.level, ''), $1) AS c2, NULLIF(t0.level, '') AS c3, regexp_matches(NULLIF(t0.workload, ''), $2) AS c4, NULLIF(t0.workload, '') AS c5, epoch_ns(t0.time) AS c6, t0.seq AS c7
FROM logs AS t0
ORDER BY c2 DESC, c3 DESC, c4 DESC, c5 DESC, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 2

-- sort by all fields
-- * | fields level, workload | first 3
SELECT t0.level, t0.workload, regexp_matches(NULLIF(t0.level, ''), $1) AS c2, NULLIF(t0.level, '') AS c3, regexp_matches(NULLIF(t0.workload, ''), $2) AS c4, NULLIF(t0.workload, '') AS c5, epoch_ns(t0.time) AS c6, t0.seq AS c7
FROM logs AS t0
ORDER BY c2 DESC, c3, c4 DESC, c5, t0.time DESC, t0.seq DESC
LIMIT $3;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 = 3

-- sort with a limit for each partition
-- * | sort by (_time) limit 1 partition by (workload) | fields workload, content
SELECT q1.c1 AS workload, q1.c2 AS content
FROM (
  SELECT epoch_ns(t0.time) AS c0, t0.workload AS c1, t0.content AS c2, row_number() OVER (PARTITION BY NULLIF(t0.workload, '') ORDER BY t0.time, t0.seq DESC) AS c3, t0.time AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
) AS q1
WHERE q1.c3 <= $1
ORDER BY q1.c4, q1.c5 DESC;
-- $1 = 1

-- ties stay together
-- * | stats by (workload) count() n | sort by (n desc) limit 2 with ties
-- above: table-apply: table functions see whole rows of any shape
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY c1 DESC, workload;

-- facets
-- * | fields level, workload, host | facets 2
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.workload, t0.attributes[$1] AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "host"

-- names of fields
-- * | field_names
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
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
SELECT TRUE AS c0
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
SELECT epoch_ns(t0.time) AS _time, t0.workload, t0.attributes[$1] AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"

-- neighbours of a row
-- workload:web | window partition by (workload) order by (_time) lag(content) as before, row_number() as n | fields content, before, n
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.workload, t0.content, t0.attributes[$1] AS c3, t0.attributes[$2] AS c4
FROM logs AS t0
WHERE (t0.workload >= $3 AND t0.workload < $4 OR t0.workload >= $5 AND t0.workload < $6)
  AND lower(t0.workload) = $7
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "before"
-- $2 = "n"
-- $3 = "w"
-- $4 = "x"
-- $5 = "W"
-- $6 = "X"
-- $7 = "web"

-- neighbours that are not there, and neighbours without the field
-- * | window order by (_time) lag(ms, 2, 0) as before, lead(ms, 1, "") as after, lag(nowhere, 1, x) as other | sort by (_time) | fields ms, before, after, other
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2, t0.attributes[$3] AS c3, t0.attributes[$4] AS c4, t0.attributes[$5] AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "after"
-- $2 = "before"
-- $3 = "ms"
-- $4 = "nowhere"
-- $5 = "other"

-- join with rows, left and inner
-- * | join by (workload) rows({"workload":"api","owner":"ann","level":"x"},{"workload":"job","owner":"bob"}) | fields workload, owner, level
-- above: values: rows written in the query never touch stored data
SELECT t0.level, t0.workload, t0.attributes[$1] AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "owner"

-- an inner join with a prefix
-- * | join by (workload) (level:error | fields workload, ms) inner prefix "e." | fields workload, ms, e.ms
SELECT q2.c0 AS workload, q2.c2 AS c1, CASE WHEN q2.c1 <> '' THEN q2.c1 ELSE coalesce(q3.c1, q2.c1) END AS c2
FROM (
  SELECT t0.workload AS c0, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2, TRUE AS c3, NULLIF(t0.workload, '') AS c4, t0.time AS c5, epoch_ns(t0.time) AS c6, t0.seq AS c7, t0.seq AS c8
  FROM logs AS t0
) AS q2 JOIN (
  SELECT t1.workload AS c0, t1.attributes[$2] AS c1, TRUE AS c2, NULLIF(t1.workload, '') AS c3, t1.time AS c4, epoch_ns(t1.time) AS c5, t1.seq AS c6, t1.seq AS c7
  FROM logs AS t1
  WHERE (t1.level >= $3 AND t1.level < $4 OR t1.level >= $5 AND t1.level < $6)
    AND lower(t1.level) = $7
) AS q3 ON q2.c4 IS NOT DISTINCT FROM q3.c3
ORDER BY q2.c5 DESC, q2.c7 DESC, q3.c4 DESC, q3.c6 DESC;
-- $1 = "e.ms"
-- $2 = "ms"
-- $3 = "e"
-- $4 = "f"
-- $5 = "E"
-- $6 = "F"
-- $7 = "error"

-- a condition on a name that only clashing gives its prefix
-- * | join by (workload) (level:error | stats by (workload) max(ms) as ms) inner prefix "e" clashing | filter e.ms:>5 | fields workload, ms, e.ms
-- above: aggregate: `max`: texts that are numbers or times are less than others
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
SELECT t0.workload, t0.attributes[$1] AS c1
FROM logs AS t0
WHERE (t0.level >= $2 AND t0.level < $3 OR t0.level >= $4 AND t0.level < $5)
  AND lower(t0.level) = $6
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"
-- $2 = "e"
-- $3 = "f"
-- $4 = "E"
-- $5 = "F"
-- $6 = "error"

-- an own value of a left row stands before a computed one of the right side
-- * | join by (workload) (level:error | stats by (workload) count() as hits, count() as ms) | stats by (workload) sum(ms) as ms, sum(hits) as hits
-- above: join: values of different kinds meet in one field
SELECT t0.workload, t0.attributes[$1] AS c1, t0.attributes[$2] AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "hits"
-- $2 = "ms"
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, count(*) AS c2
FROM logs AS t0
WHERE (t0.level >= $1 AND t0.level < $2 OR t0.level >= $3 AND t0.level < $4)
  AND lower(t0.level) = $5
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;
-- $1 = "e"
-- $2 = "f"
-- $3 = "E"
-- $4 = "F"
-- $5 = "error"

-- equal parts of a union and of a join
-- * | stats by (workload) count() as n | union (* | stats by (workload) count() as n | filter n:>1) | join by (workload) (* | stats by (workload) count() as n) prefix "all_"
-- above: join: it orders texts that are numbers or times by their characters
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
HAVING count(*) >= $1
ORDER BY workload;
-- $1 = 2

-- branches of one table whose order does not show
-- level:error | union (level:info) | union (ms:>3) | stats by (workload) count() as n, sum(ms) as ms
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT t0.workload, t0.attributes[$1] AS c1
FROM logs AS t0
WHERE lower(t0.level) IN ($2, $3)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"
-- $2 = "error"
-- $3 = "info"
SELECT t0.workload, t0.attributes[$1] AS c1
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$1], $2)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"
-- $2 = "(?s)^[-+.0-9IiNn]"

-- union
-- level:error | fields content | union (level:info | fields content, workload)
SELECT q2.c2 AS content, q2.c3 AS workload
FROM (
  SELECT $1 AS c0, row_number() OVER (PARTITION BY 1 ORDER BY t0.time DESC, t0.seq DESC) AS c1, t0.content AS c2, NULL AS c3
  FROM logs AS t0
  WHERE (t0.level >= $2 AND t0.level < $3 OR t0.level >= $4 AND t0.level < $5)
    AND lower(t0.level) = $6
  UNION ALL
  SELECT $7 AS c0, row_number() OVER (PARTITION BY 1 ORDER BY t1.time DESC, t1.seq DESC) AS c1, t1.content AS c2, t1.workload AS c3
  FROM logs AS t1
  WHERE lower(t1.level) = $8
) AS q2
ORDER BY q2.c0, q2.c1;
-- $1 = 0
-- $2 = "e"
-- $3 = "f"
-- $4 = "E"
-- $5 = "F"
-- $6 = "error"
-- $7 = 1
-- $8 = "info"

-- a sample is the same everywhere
-- * | sample 2 rows | fields content
-- above: sample: rows that are not stored records are sampled by their place

-- time buckets, with gaps filled
-- * | stats by (_time:1h) count() n
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END AS _time, count(*) AS c1
FROM logs AS t0
GROUP BY CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END
ORDER BY _time;
-- $1 = 3600000000000

-- gaps are filled
-- * | stats by (_time:1h fill) count() n, max(ms) most
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$1] AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"

-- neighbours in the stream
-- level:error | stream_context before 1 after 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.level, t0.workload, t0.content, t0.attributes[$1] AS c4, t0.attributes[$2] AS c5, (((t0.level >= $3 AND t0.level < $4 OR t0.level >= $5 AND t0.level < $6) AND lower(t0.level) = $7)) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "e"
-- $4 = "f"
-- $5 = "E"
-- $6 = "F"
-- $7 = "error"

-- behind the last of several chunks, too
-- level:error | stream_context before 1 after 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.level, t0.workload, t0.content, t0.attributes[$1] AS c4, t0.attributes[$2] AS c5, ((contains(t0.level, $3) AND (regexp_matches(t0.level, $4) OR regexp_matches(t0.level, $5) AND regexp_matches(t0.level, $6)))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "error"
-- $4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- $5 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- but not behind the only one
-- workload:web level:error | stream_context before 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.level, t0.workload, t0.content, t0.attributes[$1] AS c4, t0.attributes[$2] AS c5, ((contains(t0.workload, $3) AND (regexp_matches(t0.workload, $4) OR regexp_matches(t0.workload, $5) AND regexp_matches(t0.workload, $6)) AND contains(t0.level, $7) AND (regexp_matches(t0.level, $8) OR regexp_matches(t0.level, $9) AND regexp_matches(t0.level, $10)))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "web"
-- $4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])web(?:[^0-9A-Za-z_\\x{80}-\\x…
-- $5 = "(?s)(?:^|[^0-9A-Za-z_])web(?:[^0-9A-Za-z_]|$)"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $7 = "error"
-- $8 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])error(?:[^0-9A-Za-z_\\x{80}-\…
-- $9 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $10 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- a match alone has no neighbours and nothing to stand behind it
-- level:error workload:web | stream_context before 0 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.level, t0.workload, t0.content, t0.attributes[$1] AS c4, t0.attributes[$2] AS c5, (((t0.level >= $3 AND t0.level < $4 OR t0.level >= $5 AND t0.level < $6) AND lower(t0.level) = $7 AND (t0.workload >= $8 AND t0.workload < $9 OR t0.workload >= $10 AND t0.workload < $11) AND lower(t0.workload) = $12)) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "e"
-- $4 = "f"
-- $5 = "E"
-- $6 = "F"
-- $7 = "error"
-- $8 = "w"
-- $9 = "x"
-- $10 = "W"
-- $11 = "X"
-- $12 = "web"

-- neighbours of no match
-- nothing | stream_context before 1 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.workload, t0.content, t0.attributes[$1] AS c3, t0.attributes[$2] AS c4, ((contains(lower(t0.content), $3) AND (regexp_matches(lower(t0.content), $4) OR regexp_matches(lower(t0.content), $5) AND regexp_matches(lower(t0.content), $6)))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "nothing"
-- $4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])nothing(?:[^0-9A-Za-z_\\x{80}…
-- $5 = "(?s)(?:^|[^0-9A-Za-z_])nothing(?:[^0-9A-Za-z_]|$)"
-- $6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- each match has a chunk, which ends before the next match
-- workload:api -level:info | stream_context after 5 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.level, t0.workload, t0.content, t0.attributes[$1] AS c4, t0.attributes[$2] AS c5, (((t0.workload >= $3 AND t0.workload < $4 OR t0.workload >= $5 AND t0.workload < $6) AND lower(t0.workload) = $7 AND lower(t0.level) IS DISTINCT FROM $8)) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "a"
-- $4 = "b"
-- $5 = "A"
-- $6 = "B"
-- $7 = "api"
-- $8 = "info"

-- rows before a match, those of another chunk left out
-- workload:api | stream_context before 2 after 2 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.workload, t0.content, t0.attributes[$1] AS c3, t0.attributes[$2] AS c4, (((t0.workload >= $3 AND t0.workload < $4 OR t0.workload >= $5 AND t0.workload < $6) AND lower(t0.workload) = $7)) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "a"
-- $4 = "b"
-- $5 = "A"
-- $6 = "B"
-- $7 = "api"

-- a neighbour too far from one match and near to the next
-- content:in("took 1ms", "took 5ms") | stream_context before 1 after 1 time_window 15m | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.workload, t0.content, t0.attributes[$1] AS c3, t0.attributes[$2] AS c4, ((lower(t0.content) IN ($3, $4))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "took 1ms"
-- $4 = "took 5ms"

-- where one chunk ends and the other begins
-- content:in("took 1ms", "took 5ms") | stream_context before 1 after 1 | fields _time, content
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.workload, t0.content, t0.attributes[$1] AS c3, t0.attributes[$2] AS c4, ((lower(t0.content) IN ($3, $4))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "_stream"
-- $2 = "_stream_id"
-- $3 = "took 1ms"
-- $4 = "took 5ms"

-- no rows at all
-- nothing | top 2 by (workload)
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1, regexp_matches(NULLIF(t0.workload, ''), $1) AS c2
FROM logs AS t0
WHERE contains(lower(t0.content), $2)
  AND (regexp_matches(lower(t0.content), $3) OR regexp_matches(lower(t0.content), $4) AND regexp_matches(lower(t0.content), $5))
GROUP BY NULLIF(t0.workload, '')
ORDER BY c1 DESC, c2 DESC, workload
LIMIT $6;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = "nothing"
-- $3 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])nothing(?:[^0-9A-Za-z_\\x{80}…
-- $4 = "(?s)(?:^|[^0-9A-Za-z_])nothing(?:[^0-9A-Za-z_]|$)"
-- $5 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $6 = 2

-- no facets of nothing
-- nothing | facets
-- above: table-apply: table functions see whole rows of any shape
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS c12
FROM logs AS t0
WHERE contains(lower(t0.content), $1)
  AND (regexp_matches(lower(t0.content), $2) OR regexp_matches(lower(t0.content), $3) AND regexp_matches(lower(t0.content), $4))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "nothing"
-- $2 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])nothing(?:[^0-9A-Za-z_\\x{80}…
-- $3 = "(?s)(?:^|[^0-9A-Za-z_])nothing(?:[^0-9A-Za-z_]|$)"
-- $4 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- places in a partition
-- * | window partition by (level) order by (workload) rank() as r, dense_rank() as d, lead(content, 1, "none") as after, row_number() as n | fields level, workload, r, d, n, after
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.workload, t0.content, t0.attributes[$1] AS c3, t0.attributes[$2] AS c4, t0.attributes[$3] AS c5, t0.attributes[$4] AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "after"
-- $2 = "d"
-- $3 = "n"
-- $4 = "r"

-- gaps are filled with a value, for each group
-- level:in(error, "") or workload:web | stats by (_time:1h fill 0, workload) count() n
-- above: table-apply: table functions see whole rows of any shape
SELECT CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END AS _time, NULLIF(t0.workload, '') AS workload, count(*) AS c2
FROM logs AS t0
WHERE ((t0.level >= $2 AND t0.level < $3 OR t0.level >= $4 AND t0.level < $5) AND lower(t0.level) = $6 OR t0.level IS NULL OR t0.level = '' OR (t0.workload >= $7 AND t0.workload < $8 OR t0.workload >= $9 AND t0.workload < $10) AND lower(t0.workload) = $11)
GROUP BY CASE WHEN epoch_ns(t0.time) >= 0 THEN epoch_ns(t0.time) // $1 * $1 ELSE epoch_ns(t0.time) - (epoch_ns(t0.time) % $1 + $1) % $1 END, NULLIF(t0.workload, '')
ORDER BY _time, workload;
-- $1 = 3600000000000
-- $2 = "e"
-- $3 = "f"
-- $4 = "E"
-- $5 = "F"
-- $6 = "error"
-- $7 = "w"
-- $8 = "x"
-- $9 = "W"
-- $10 = "X"
-- $11 = "web"

-- sort ties beyond the limit
-- * | sort by (level) limit 1 with ties | fields level, content
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.content, NULLIF(t0.level, '') AS c2, epoch_ns(t0.time) AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;

-- the page behind a row
-- * | sort by (_time, content) after (2026-01-01T00:20:00Z, "ok") limit 2 | fields content
-- above: scan: the condition is a function that is not its own
SELECT epoch_ns(t0.time) AS _time, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- full and right joins
-- level:error | fields workload, ms | join by (workload) (* | stats by (workload) count() n) full | fields workload, ms, n
-- above: join: it orders texts that are numbers or times by their characters
SELECT t0.workload, t0.attributes[$1] AS c1
FROM logs AS t0
WHERE (t0.level >= $2 AND t0.level < $3 OR t0.level >= $4 AND t0.level < $5)
  AND lower(t0.level) = $6
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 = "ms"
-- $2 = "e"
-- $3 = "f"
-- $4 = "E"
-- $5 = "F"
-- $6 = "error"
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS c1
FROM logs AS t0
GROUP BY NULLIF(t0.workload, '')
ORDER BY workload;

-- a key of the right side does not fill a field of the left one
-- level:"" | fields workload, level | sort by (workload) | join by (workload = level) (level:error | limit 1) cross | fields workload, level
SELECT CASE WHEN q2.c0 <> '' THEN q2.c0 ELSE coalesce(q3.c3, q2.c0) END AS workload, q2.c1 AS level, q2.c5 AS c2, q2.c7 AS c3, q2.c9 AS c4, q3.c0 AS c5, q3.c17 AS c6
FROM (
  SELECT t0.workload AS c0, t0.level AS c1, TRUE AS c2, NULLIF(t0.workload, '') AS c3, regexp_matches(NULLIF(t0.workload, ''), $1) AS c4, NULLIF(t0.workload, '') AS c5, t0.time AS c6, epoch_ns(t0.time) AS c7, t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE (t0.level IS NULL OR t0.level = '')
) AS q2 CROSS JOIN (
  SELECT epoch_ns(t1.time) AS c0, t1.seq AS c1, t1.level AS c2, t1.workload AS c3, t1.namespace AS c4, t1.env AS c5, t1.cluster AS c6, t1.pod AS c7, t1.trace_id AS c8, t1.status AS c9, t1.duration_ms AS c10, t1.content AS c11, TRUE AS c12, NULLIF(t1.level, '') AS c13, t1.attributes AS c14, t1.time AS c15, t1.seq AS c16, t1.seq AS c17
  FROM logs AS t1
  WHERE (t1.level >= $2 AND t1.level < $3 OR t1.level >= $4 AND t1.level < $5)
    AND lower(t1.level) = $6
  ORDER BY t1.time DESC, t1.seq DESC
  LIMIT $7
) AS q3
ORDER BY q2.c5, q2.c6 DESC, q2.c8 DESC, q3.c15 DESC, q3.c16 DESC;
-- $1 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 = "e"
-- $3 = "f"
-- $4 = "E"
-- $5 = "F"
-- $6 = "error"
-- $7 = 1
