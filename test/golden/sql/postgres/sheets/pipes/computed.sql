-- a field floored to its bucket
-- * | bucketize _time:5m as slot | bucketize duration_ms:10 as tens | sort by (_time) | fields slot, tens
-- above: extend: buckets of such values are decimals, addresses, durations or texts
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.duration_ms,
  ((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) - (((extract(epoch FROM t0.time) * 1000000)::bigint * 1000) % $1::bigint + $1::bigint) % $1::bigint AS slot
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 time_width = 300000000000

-- a scalar function of a field and literals
-- * | compute round(duration_ms, 10) as tens | sort by (_time) | fields tens
-- above: extend: `round` is no function of its own
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.duration_ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a part of a time
-- * | datetime_extract hour from _time as hour | sort by (_time) | fields hour
-- above: extend: `datetime-extract` is no function of its own
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a syslog line as fields
-- * | unpack_syslog from content | sort by (_time) | fields format, facility, severity, hostname, app_name, proc_id, message
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.content,
  t0.attributes -> $1::text AS app_name, t0.attributes -> $2::text AS facility,
  t0.attributes -> $3::text AS format, t0.attributes -> $4::text AS hostname,
  t0.attributes -> $5::text AS message, t0.attributes -> $6::text AS proc_id,
  t0.attributes -> $7::text AS severity
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "app_name"
-- $2 attributes_key_2 = "facility"
-- $3 attributes_key_3 = "format"
-- $4 attributes_key_4 = "hostname"
-- $5 attributes_key_5 = "message"
-- $6 attributes_key_6 = "proc_id"
-- $7 attributes_key_7 = "severity"

-- rand() is once per row: whatever reads it reads one number (L40)
-- * | generate_sequence 40 | math rand() as r | math r - r as d | copy r as q | format "<r>" as t | filter !d:0 or !q:eq_field(r) or !t:eq_field(r) | stats count() n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- conditions on it agree
-- * | generate_sequence 40 | math rand() as r | filter r:<0.5 | math r as s | filter s:>=0.5 | stats count() n
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- each row has its own
-- * | generate_sequence 40 | math rand() as r, floor(rand() * 0) + rand() as s | stats count_uniq(r) n, count_uniq(s) m
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- equal parts of a query are not one part
-- * | generate_sequence 40 | math rand() as r | union (* | generate_sequence 40 | math rand() as r) | stats count_uniq(r) n
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- groups of it
-- * | generate_sequence 40 | math rand() as r | stats by (r) count() c | stats count() n, max(c) most
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- NaN stands behind the numbers in ascending order
-- * | generate_sequence 4 | math content as i | math (i - 2) / (i - 2) * (1 - i) as q | sort by (q, i) | fields i, q
-- above: table-apply: table functions see whole rows of any shape
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- and in descending order
-- * | generate_sequence 4 | math content as i | math (i - 2) / (i - 2) * (1 - i) as q | sort by (q desc, i) | limit 4 | fields i, q
-- above: table-apply: table functions see whole rows of any shape
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- also among the last of an order
-- * | generate_sequence 4 | math content as i | math (i - 2) / (i - 2) * (1 - i) as q | last 2 by (q) | fields i, q
-- above: table-apply: table functions see whole rows of any shape
SELECT TRUE AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
