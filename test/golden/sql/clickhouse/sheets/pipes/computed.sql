-- a field floored to its bucket
-- * | bucketize _time:5m as slot | bucketize duration_ms:10 as tens | sort by (_time) | fields slot, tens
-- above: extend: buckets of such values are decimals, addresses, durations or texts
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.duration_ms,
  toUnixTimestamp64Nano(t0.time) - positiveModulo(toUnixTimestamp64Nano(t0.time), {time_width:Int64}) AS slot
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {time_width:Int64} = 300000000000

-- a scalar function of a field and literals
-- * | compute round(duration_ms, 10) as tens | sort by (_time) | fields tens
-- above: extend: `round` is no function of its own
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.duration_ms
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a part of a time
-- * | datetime_extract hour from _time as hour | sort by (_time) | fields hour
-- above: extend: `datetime-extract` is no function of its own
SELECT toUnixTimestamp64Nano(t0.time) AS _time
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a syslog line as fields
-- * | unpack_syslog from content | sort by (_time) | fields format, facility, severity, hostname, app_name, proc_id, message
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.content,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS app_name,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS facility,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS `format`,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS hostname,
  if(mapContains(t0.attributes, {attributes_key_5:String}), t0.attributes[{attributes_key_5:String}], NULL) AS message,
  if(mapContains(t0.attributes, {attributes_key_6:String}), t0.attributes[{attributes_key_6:String}], NULL) AS proc_id,
  if(mapContains(t0.attributes, {attributes_key_7:String}), t0.attributes[{attributes_key_7:String}], NULL) AS severity
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "app_name"
-- {attributes_key_2:String} = "facility"
-- {attributes_key_3:String} = "format"
-- {attributes_key_4:String} = "hostname"
-- {attributes_key_5:String} = "message"
-- {attributes_key_6:String} = "proc_id"
-- {attributes_key_7:String} = "severity"

-- rand() is once per row: whatever reads it reads one number (L40)
-- * | generate_sequence 40 | math rand() as r | math r - r as d | copy r as q | format "<r>" as t | filter !d:0 or !q:eq_field(r) or !t:eq_field(r) | stats count() n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- conditions on it agree
-- * | generate_sequence 40 | math rand() as r | filter r:<0.5 | math r as s | filter s:>=0.5 | stats count() n
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- each row has its own
-- * | generate_sequence 40 | math rand() as r, floor(rand() * 0) + rand() as s | stats count_uniq(r) n, count_uniq(s) m
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- equal parts of a query are not one part
-- * | generate_sequence 40 | math rand() as r | union (* | generate_sequence 40 | math rand() as r) | stats count_uniq(r) n
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- groups of it
-- * | generate_sequence 40 | math rand() as r | stats by (r) count() c | stats count() n, max(c) most
-- above: extend: a statement may compute an expression once or many times, so chance would not be one value a row
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- NaN stands behind the numbers in ascending order
-- * | generate_sequence 4 | math content as i | math (i - 2) / (i - 2) * (1 - i) as q | sort by (q, i) | fields i, q
-- above: table-apply: table functions see whole rows of any shape
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- and in descending order
-- * | generate_sequence 4 | math content as i | math (i - 2) / (i - 2) * (1 - i) as q | sort by (q desc, i) | limit 4 | fields i, q
-- above: table-apply: table functions see whole rows of any shape
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- also among the last of an order
-- * | generate_sequence 4 | math content as i | math (i - 2) / (i - 2) * (1 - i) as q | last 2 by (q) | fields i, q
-- above: table-apply: table functions see whole rows of any shape
SELECT true AS c0
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
