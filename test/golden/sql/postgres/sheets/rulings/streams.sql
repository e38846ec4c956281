-- as a column; what is missing or empty is left out, what is stored stays
-- * | fields n, _stream
-- above: extend: its values are of several kinds
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"

-- as a group key
-- * | stats by (_stream) count() as rows | sort by (_stream)
-- above: aggregate: values of several kinds are grouped by their text
SELECT t0.workload, t0.attributes -> $1::text AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"

-- in a filter
-- _stream:="{namespace=\"shop\",pod=\"cart-1\",workload=\"cart\"}" | fields n
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS _stream, t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "_stream"

-- negated
-- -_stream:~"cart" | fields n
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS n, t0.attributes -> $2::text AS _stream, t0.workload
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes_key_2 = "_stream"

-- as a value of a function and as a key of distinct values
-- * | uniq by (_stream) | stats count_uniq(_stream) as streams
-- above: extend: its values are of several kinds
SELECT t0.workload, t0.attributes -> $1::text AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"

-- as a sort key
-- * | sort by (_stream desc, n) | fields n
-- above: sort: its values are of several kinds
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"

-- once the columns are others it is made anew
-- * | set_stream_fields n | filter _stream:="{n=\"3\"}" | fields n, _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- in the text of a format, and as a parameter
-- * | format "<_stream>" as s | len(_stream) as bytes | fields n, s, bytes
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"

-- under another name, and as a key of a join
-- * | join by (_stream) (* | stats by (_stream) count() as rows) | rename _stream as s | fields n, rows
-- above: extend: its values are of several kinds
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n,
  t0.attributes -> $3::text AS rows
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"
-- $3 attributes_key_3 = "rows"
SELECT t0.workload, t0.attributes -> $1::text AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"

-- values with their counts
-- * | field_values _stream | filter _stream:~"cart"
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.workload, t0.attributes -> $1::text AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"

-- a stage that names it makes it a field of the rows
-- n:=4 | format "<_stream>" as s
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "4"
-- $3 attributes_from = "3.9999999999999997779553950749686919152736663818359375"
-- $4 attributes_to = "4.000000000000000444089209850062616169452667236328125"

-- an id for each stream
-- * | stats by (_stream) count_uniq(_stream_id) as ids | stats sum(ids) as ids, count() as streams
-- above: aggregate: its values are of several kinds
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"

-- the id of a stream made anew
-- * | set_stream_fields namespace | stats count_uniq(_stream_id) as ids
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.namespace, t0.attributes -> $1::text AS _stream_id
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream_id"

-- only rows that meet the condition get another stream, the others keep theirs
-- * | set_stream_fields if (n:<=2) n | fields n, _stream, _stream_id
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS _stream_id,
  t0.attributes -> $3::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 attributes_key_3 = "n"

-- the same once the names are columns
-- * | fields n, namespace, _stream, _stream_id | set_stream_fields if (n:=1) n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.namespace, t0.attributes -> $1::text AS _stream,
  t0.attributes -> $2::text AS _stream_id, t0.attributes -> $3::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "_stream_id"
-- $3 attributes_key_3 = "n"

-- an id that is stored is that of the stream before
-- * | filter n:=4 | format "old" as _stream_id | set_stream_fields n | fields _stream, _stream_id
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
WHERE ((t0.attributes ->> $1::text) = $2::text OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb) AND (t0.attributes -> $1::text) <= ($4::text::jsonb))
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
-- $2 attributes = "4"
-- $3 attributes_from = "3.9999999999999997779553950749686919152736663818359375"
-- $4 attributes_to = "4.000000000000000444089209850062616169452667236328125"

-- other pipes write a stream's name in some rows
-- * | format if (n:=1) "mine" as _stream | fields n, _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"

-- a stream filter searches the streams that were made
-- * | set_stream_fields level | filter {level="error"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- the same in the other dialect
-- * | set_stream_fields level | filter {level="error"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- also under the name of the field
-- * | set_stream_fields level | filter _stream:{level="error"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- labels of the streams before are gone
-- * | set_stream_fields level | filter {namespace="shop"} | fields n
-- above: values: rows written in the query never touch stored data

-- negated, by a regular expression and by a list
-- * | set_stream_fields level, n | filter {level!="error"} or {level=~"err.*", n in (1, 5)} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- a label that a stream does not have is empty
-- * | set_stream_fields namespace, workload | filter {workload=""} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.namespace, t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- labels by pattern
-- * | set_stream_fields na*, lev* | filter {level="error", namespace="shop"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.seq, t0.level, t0.workload,
  t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  t0.attributes::text AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a row that brought its own stream keeps it where no stream is made
-- * | set_stream_fields if (n:<5) level | filter {level="x"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"

-- a stage that writes the name as a text
-- * | format "{a=\"<n>\"}" as _stream | filter {a="2"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.attributes -> $1::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- in a condition of a function
-- * | set_stream_fields level | stats count() if ({level="error"}) errors, count() rows
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a renamed field of the stream in front of a condition
-- * | rename namespace as ns | set_stream_fields if (n:=1) ns | fields n, _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.namespace AS ns, t0.attributes -> $1::text AS _stream,
  t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"

-- a field of the stream that is deleted or written over
-- * | delete workload | format "x" as namespace | fields n, _stream | limit 2
-- above: extend: its values are of several kinds
SELECT t0.workload, t0.attributes -> $1::text AS _stream, t0.attributes -> $2::text AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT $3::bigint;
-- $1 attributes_key = "_stream"
-- $2 attributes_key_2 = "n"
-- $3 limit = 2
