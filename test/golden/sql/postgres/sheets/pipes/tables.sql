-- top
-- * | top 2 by (workload)
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS hits,
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $1::text AS c2
FROM logs AS t0
GROUP BY 1
ORDER BY hits DESC, c2 DESC NULLS LAST, workload
LIMIT $2::bigint;
-- $1 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 limit = 2

-- top with a rank and a name
-- * | top 5 by (level) hits as n rank as pos
-- above: sort: it orders texts that are numbers or times by their characters
SELECT NULLIF(t0.level, '') AS level, count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY level;

-- distinct values
-- * | uniq by (level)
SELECT NULLIF(t0.level, '') AS level
FROM logs AS t0
GROUP BY 1
ORDER BY level;

-- distinct combinations with hits and a limit
-- * | uniq by (workload, level) with hits limit 3
SELECT NULLIF(t0.workload, '') AS workload, NULLIF(t0.level, '') AS level, count(*) AS hits,
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $1::text AS c3,
  (NULLIF(t0.level, '') < ':' OR NULLIF(t0.level, '') >= 'I' AND NULLIF(t0.level, '') < 'J' OR NULLIF(t0.level, '') >= 'i' AND NULLIF(t0.level, '') < 'j') AND (NULLIF(t0.level, '') < '1' OR NULLIF(t0.level, '') NOT LIKE '%a%' AND NULLIF(t0.level, '') NOT LIKE '%c%') AND NULLIF(t0.level, '') ~ $2::text AS c4
FROM logs AS t0
GROUP BY 1, 2
ORDER BY c3 DESC NULLS LAST, workload, c4 DESC NULLS LAST, level
LIMIT $3::bigint;
-- $1 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 level_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 limit = 3

-- first in an order, of each partition
-- * | first 1 by (ms) partition by (workload) rank as r | fields workload, ms, r
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- last in an order
-- * | last 2 by (ms) | fields ms, content
-- above: sort: values of several kinds are ordered by their kind
SELECT t0.content, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- last by all fields
-- * | fields level, workload | last 2
SELECT t0.level, t0.workload,
  (NULLIF(t0.level, '') < ':' OR NULLIF(t0.level, '') >= 'I' AND NULLIF(t0.level, '') < 'J' OR NULLIF(t0.level, '') >= 'i' AND NULLIF(t0.level, '') < 'j') AND (NULLIF(t0.level, '') < '1' OR NULLIF(t0.level, '') NOT LIKE '%a%' AND NULLIF(t0.level, '') NOT LIKE '%c%') AND NULLIF(t0.level, '') ~ $1::text AS c2,
  NULLIF(t0.level, '') AS c3,
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $2::text AS c4,
  NULLIF(t0.workload, '') AS c5, (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c6,
  t0.seq AS c7
FROM logs AS t0
ORDER BY c2 DESC NULLS LAST, c3 DESC NULLS LAST, c4 DESC NULLS LAST, c5 DESC NULLS LAST, t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1 level_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 limit = 2

-- sort by all fields
-- * | fields level, workload | first 3
SELECT t0.level, t0.workload,
  (NULLIF(t0.level, '') < ':' OR NULLIF(t0.level, '') >= 'I' AND NULLIF(t0.level, '') < 'J' OR NULLIF(t0.level, '') >= 'i' AND NULLIF(t0.level, '') < 'j') AND (NULLIF(t0.level, '') < '1' OR NULLIF(t0.level, '') NOT LIKE '%a%' AND NULLIF(t0.level, '') NOT LIKE '%c%') AND NULLIF(t0.level, '') ~ $1::text AS c2,
  NULLIF(t0.level, '') AS c3,
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $2::text AS c4,
  NULLIF(t0.workload, '') AS c5, (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c6,
  t0.seq AS c7
FROM logs AS t0
ORDER BY c2 DESC NULLS LAST, c3, c4 DESC NULLS LAST, c5, t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1 level_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $3 limit = 3

-- sort with a limit for each partition
-- * | sort by (_time) limit 1 partition by (workload) | fields workload, content
SELECT q1.c1 AS workload, q1.c2 AS content
FROM (
  SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c0, t0.workload AS c1, t0.content AS c2,
    row_number() OVER (PARTITION BY NULLIF(t0.workload, '') ORDER BY t0.time, t0.seq DESC) AS c3,
    t0.time AS c4, t0.seq AS c5, t0.seq AS c6
  FROM logs AS t0
) AS q1
WHERE q1.c3 <= $1::bigint
ORDER BY q1.c4, q1.c5 DESC;
-- $1 row_to = 1

-- ties stay together
-- * | stats by (workload) count() n | sort by (n desc) limit 2 with ties
-- above: table-apply: table functions see whole rows of any shape
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY n DESC, workload;

-- facets
-- * | fields level, workload, host | facets 2
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.workload, t0.attributes -> $1::text AS host
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "host"

-- names of fields
-- * | field_names
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
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
-- above: window: `sum`: its values are of several kinds
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.workload,
  t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- neighbours of a row
-- workload:web | window partition by (workload) order by (_time) lag(content) as before, row_number() as n | fields content, before, n
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.workload, t0.content,
  t0.attributes -> $1::text AS before, t0.attributes -> $2::text AS n
FROM logs AS t0
WHERE t0.workload IN ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "before"
-- $2 attributes_key_2 = "n"
-- $3 workload = "web"
-- $4 workload_2 = "Web"
-- $5 workload_3 = "wEb"
-- $6 workload_4 = "WEb"
-- $7 workload_5 = "weB"
-- $8 workload_6 = "WeB"
-- $9 workload_7 = "wEB"
-- $10 workload_8 = "WEB"

-- neighbours that are not there, and neighbours without the field
-- * | window order by (_time) lag(ms, 2, 0) as before, lead(ms, 1, "") as after, lag(nowhere, 1, x) as other | sort by (_time) | fields ms, before, after, other
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS after,
  t0.attributes -> $2::text AS before, t0.attributes -> $3::text AS ms,
  t0.attributes -> $4::text AS nowhere, t0.attributes -> $5::text AS other
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "after"
-- $2 attributes_key_2 = "before"
-- $3 attributes_key_3 = "ms"
-- $4 attributes_key_4 = "nowhere"
-- $5 attributes_key_5 = "other"

-- join with rows, left and inner
-- * | join by (workload) rows({"workload":"api","owner":"ann","level":"x"},{"workload":"job","owner":"bob"}) | fields workload, owner, level
-- above: values: rows written in the query never touch stored data
SELECT t0.level, t0.workload, t0.attributes -> $1::text AS owner
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "owner"

-- an inner join with a prefix
-- * | join by (workload) (level:error | fields workload, ms) inner prefix "e." | fields workload, ms, e.ms
-- above: join: values of different kinds meet in one field
SELECT t0.workload, t0.attributes -> $1::text AS "e.ms", t0.attributes -> $2::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "e.ms"
-- $2 attributes_key_2 = "ms"
SELECT t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
WHERE t0.level = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- a condition on a name that only clashing gives its prefix
-- * | join by (workload) (level:error | stats by (workload) max(ms) as ms) inner prefix "e" clashing | filter e.ms:>5 | fields workload, ms, e.ms
-- above: aggregate: `max`: its values are of several kinds
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
SELECT t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
WHERE t0.level = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- an own value of a left row stands before a computed one of the right side
-- * | join by (workload) (level:error | stats by (workload) count() as hits, count() as ms) | stats by (workload) sum(ms) as ms, sum(hits) as hits
-- above: join: values of different kinds meet in one field
SELECT t0.workload, t0.attributes -> $1::text AS hits, t0.attributes -> $2::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "hits"
-- $2 attributes_key_2 = "ms"
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS hits, count(*) AS ms
FROM logs AS t0
WHERE t0.level = ANY($1::text[])
GROUP BY 1
ORDER BY workload;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- equal parts of a union and of a join
-- * | stats by (workload) count() as n | union (* | stats by (workload) count() as n | filter n:>1) | join by (workload) (* | stats by (workload) count() as n) prefix "all_"
-- above: join: it orders texts that are numbers or times by their characters
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY workload;
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY 1
HAVING count(*) >= $1::bigint
ORDER BY workload;
-- $1 count_from = 2

-- branches of one table whose order does not show
-- level:error | union (level:info) | union (ms:>3) | stats by (workload) count() as n, sum(ms) as ms
-- above: scan: numbers among its values are written in another way
SELECT t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
WHERE t0.level = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
SELECT t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
-- $2 attributes_from = "2.9999999999999997779553950749686919152736663818359375"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- union
-- level:error | fields content | union (level:info | fields content, workload)
SELECT q2.c2 AS content, q2.c3 AS workload
FROM (
  SELECT $1::bigint AS c0, row_number() OVER (ORDER BY t0.time DESC, t0.seq DESC) AS c1, t0.content AS c2,
    NULL AS c3
  FROM logs AS t0
  WHERE t0.level = ANY($2::text[])
  UNION ALL
  SELECT $3::bigint AS c0, row_number() OVER (ORDER BY t1.time DESC, t1.seq DESC) AS c1, t1.content AS c2,
    t1.workload AS c3
  FROM logs AS t1
  WHERE t1.level = ANY($4::text[])
) AS q2
ORDER BY q2.c0, q2.c1;
-- $1 value = 0
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $3 value_2 = 1
-- $4 level_2 = "{\"info\",\"Info\",\"İnfo\",\"iNfo\",\"INfo\",\"İNfo\",\"inFo\",\"InFo\…

-- a sample is the same everywhere
-- * | sample 2 rows | fields content
-- above: sample: rows that are not stored records are sampled by their place

-- time buckets, with gaps filled
-- * | stats by (_time:1h) count() n
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time,
  count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY _time;
-- $1 time_width = 3600000000000

-- gaps are filled
-- * | stats by (_time:1h fill) count() n, max(ms) most
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"

-- neighbours in the stream
-- level:error | stream_context before 1 after 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.level, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.level = ANY($3::text[]))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…

-- behind the last of several chunks, too
-- level:error | stream_context before 1 after 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.level, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.level LIKE $3::text AND (t0.level ~ $4::text OR t0.level ~ $5::text AND t0.level ~ $6::text))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 level_pattern = "%error%"
-- $4 level_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])error(?:[\\u0001…
-- $5 level_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $6 level_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- but not behind the only one
-- workload:web level:error | stream_context before 1 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.level, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.workload LIKE $3::text AND (t0.workload ~ $4::text OR t0.workload ~ $5::text AND t0.workload ~ $6::text) AND t0.level LIKE $7::text AND (t0.level ~ $8::text OR t0.level ~ $9::text AND t0.level ~ $10::text))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 workload_pattern = "%web%"
-- $4 workload_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])web(?:[\\u0001-/…
-- $5 workload_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])web(?:[^0-9A-Za-z_]|$)"
-- $6 workload_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $7 level_pattern = "%error%"
-- $8 level_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])error(?:[\\u0001…
-- $9 level_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])error(?:[^0-9A-Za-z_]|$)"
-- $10 level_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- a match alone has no neighbours and nothing to stand behind it
-- level:error workload:web | stream_context before 0 | fields workload, content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.level, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.level = ANY($3::text[]) AND t0.workload IN ($4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $4 workload = "web"
-- $5 workload_2 = "Web"
-- $6 workload_3 = "wEb"
-- $7 workload_4 = "WEb"
-- $8 workload_5 = "weB"
-- $9 workload_6 = "WeB"
-- $10 workload_7 = "wEB"
-- $11 workload_8 = "WEB"

-- neighbours of no match
-- nothing | stream_context before 1 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.content ILIKE $3::text AND (t0.content ~* $4::text OR t0.content ~* $5::text AND lower(t0.content) ~ $6::text))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 content_pattern = "%noth_ng%"
-- $4 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])noth[iİ]ng(?:[\\…
-- $5 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- $6 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- each match has a chunk, which ends before the next match
-- workload:api -level:info | stream_context after 5 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.level, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.workload = ANY($3::text[]) AND (NOT (t0.level = ANY($4::text[])) OR t0.level IS NULL OR t0.level = ''))) IS TRUE AS c6
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 workload = "{\"api\",\"Api\",\"aPi\",\"APi\",\"apI\",\"ApI\",\"aPI\",\"API\",\"apİ\…
-- $4 level = "{\"info\",\"Info\",\"İnfo\",\"iNfo\",\"INfo\",\"İNfo\",\"inFo\",\"InFo\…

-- rows before a match, those of another chunk left out
-- workload:api | stream_context before 2 after 2 | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.workload = ANY($3::text[]))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 workload = "{\"api\",\"Api\",\"aPi\",\"APi\",\"apI\",\"ApI\",\"aPI\",\"API\",\"apİ\…

-- a neighbour too far from one match and near to the next
-- content:in("took 1ms", "took 5ms") | stream_context before 1 after 1 time_window 15m | fields content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.content = ANY($3::text[]))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 content = "{\"took 1ms\",\"Took 1ms\",\"tOok 1ms\",\"TOok 1ms\",\"toOk 1ms\",\"ToO…

-- where one chunk ends and the other begins
-- content:in("took 1ms", "took 5ms") | stream_context before 1 after 1 | fields _time, content
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.workload, t0.content,
  t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  ((t0.content = ANY($3::text[]))) IS TRUE AS c5
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 content = "{\"took 1ms\",\"Took 1ms\",\"tOok 1ms\",\"TOok 1ms\",\"toOk 1ms\",\"ToO…

-- no rows at all
-- nothing | top 2 by (workload)
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS hits,
  (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $1::text AS c2
FROM logs AS t0
WHERE t0.content ILIKE $2::text
  AND (t0.content ~* $3::text OR t0.content ~* $4::text AND lower(t0.content) ~ $5::text)
GROUP BY 1
ORDER BY hits DESC, c2 DESC NULLS LAST, workload
LIMIT $6::bigint;
-- $1 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 content_pattern = "%noth_ng%"
-- $3 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])noth[iİ]ng(?:[\\…
-- $4 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- $5 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…
-- $6 limit = 2

-- no facets of nothing
-- nothing | facets
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE t0.content ILIKE $1::text
  AND (t0.content ~* $2::text OR t0.content ~* $3::text AND lower(t0.content) ~ $4::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 content_pattern = "%noth_ng%"
-- $2 content_pattern_2 = "(?s)(?:^|[\\u0001-/:-@\\u005b-\\u005e\\u0060{-\\u007f])noth[iİ]ng(?:[\\…
-- $3 content_pattern_3 = "(?s)(?:^|[^0-9A-Za-z_])noth[iİ]ng(?:[^0-9A-Za-z_]|$)"
-- $4 content_pattern_4 = "(?s)(?:^|[^0-9A-Z_a-zªµºÀ-ÖØ-öø-ˁˆ-ˑˠ-ˤˬˮͰ-ʹͶ-ͷͺ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-Ֆ…

-- places in a partition
-- * | window partition by (level) order by (workload) rank() as r, dense_rank() as d, lead(content, 1, "none") as after, row_number() as n | fields level, workload, r, d, n, after
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.workload, t0.content, t0.attributes -> $1::text AS after,
  t0.attributes -> $2::text AS d, t0.attributes -> $3::text AS n, t0.attributes -> $4::text AS r
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "after"
-- $2 attributes_key_2 = "d"
-- $3 attributes_key_3 = "n"
-- $4 attributes_key_4 = "r"

-- gaps are filled with a value, for each group
-- level:in(error, "") or workload:web | stats by (_time:1h fill 0, workload) count() n
-- above: table-apply: table functions see whole rows of any shape
SELECT ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS _time,
  NULLIF(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
WHERE (t0.level = ANY($2::text[]) OR t0.level IS NULL OR t0.level = '' OR t0.workload IN ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text))
GROUP BY 1, 2
ORDER BY _time, workload;
-- $1 time_width = 3600000000000
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $3 workload = "web"
-- $4 workload_2 = "Web"
-- $5 workload_3 = "wEb"
-- $6 workload_4 = "WEb"
-- $7 workload_5 = "weB"
-- $8 workload_6 = "WeB"
-- $9 workload_7 = "wEB"
-- $10 workload_8 = "WEB"

-- sort ties beyond the limit
-- * | sort by (level) limit 1 with ties | fields level, content
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.level, t0.content, NULLIF(t0.level, '') AS c2,
  (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c3, t0.seq AS c4
FROM logs AS t0
ORDER BY c2, t0.time DESC, t0.seq DESC;

-- the page behind a row
-- * | sort by (_time, content) after (2026-01-01T00:20:00Z, "ok") limit 2 | fields content
-- above: scan: the condition is a function that is not its own
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- full and right joins
-- level:error | fields workload, ms | join by (workload) (* | stats by (workload) count() n) full | fields workload, ms, n
-- above: join: its full joins compare keys that are there
SELECT t0.workload, t0.attributes -> $1::text AS ms
FROM logs AS t0
WHERE t0.level = ANY($2::text[])
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "ms"
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
SELECT NULLIF(t0.workload, '') AS workload, count(*) AS n
FROM logs AS t0
GROUP BY 1
ORDER BY workload;

-- a key of the right side does not fill a field of the left one
-- level:"" | fields workload, level | sort by (workload) | join by (workload = level) (level:error | limit 1) cross | fields workload, level
SELECT CASE WHEN q2.c0 <> '' THEN q2.c0 ELSE coalesce(q3.c3, q2.c0) END AS workload, q2.c1 AS level,
  q2.c5 AS c2, q2.c7 AS c3, q2.c9 AS c4, q3.c0 AS c5, q3.c17 AS c6
FROM (
  SELECT t0.workload AS c0, t0.level AS c1, TRUE AS c2, NULLIF(t0.workload, '') AS c3,
    (NULLIF(t0.workload, '') < ':' OR NULLIF(t0.workload, '') >= 'I' AND NULLIF(t0.workload, '') < 'J' OR NULLIF(t0.workload, '') >= 'i' AND NULLIF(t0.workload, '') < 'j') AND (NULLIF(t0.workload, '') < '1' OR NULLIF(t0.workload, '') NOT LIKE '%a%' AND NULLIF(t0.workload, '') NOT LIKE '%c%') AND NULLIF(t0.workload, '') ~ $1::text AS c4,
    NULLIF(t0.workload, '') AS c5, t0.time AS c6,
    (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS c7, t0.seq AS c8, t0.seq AS c9
  FROM logs AS t0
  WHERE (t0.level IS NULL OR t0.level = '')
) AS q2 CROSS JOIN (
  SELECT (extract(epoch FROM t1.time) * 1000000)::bigint * 1000 AS c0, t1.seq AS c1, t1.level AS c2,
    t1.workload AS c3, t1.namespace AS c4, t1.env AS c5, t1.cluster AS c6, t1.pod AS c7, t1.trace_id AS c8,
    t1.status AS c9, t1.duration_ms AS c10, t1.content AS c11, TRUE AS c12, NULLIF(t1.level, '') AS c13,
    t1.attributes AS c14, t1.time AS c15, t1.seq AS c16, t1.seq AS c17
  FROM logs AS t1
  WHERE t1.level = ANY($2::text[])
  ORDER BY t1.time DESC, t1.seq DESC
  LIMIT $3::bigint
) AS q3
ORDER BY q2.c5, q2.c6 DESC, q2.c8 DESC, q3.c15 DESC, q3.c16 DESC;
-- $1 workload_pattern = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $2 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
-- $3 limit = 1

-- what errors have in common
-- * | compare (level:error) 4 | fields field_name, field_value, hits, others
-- above: table-apply: table functions see whole rows of any shape
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  ((t0.level = ANY($1::text[]))) IS TRUE AS c12, t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 level = "{\"error\",\"Error\",\"eRror\",\"ERror\",\"erRor\",\"ErRor\",\"eRRor\",…
