-- the time is no field to look at
-- *:~"2026" | fields cluster
-- above: scan: it writes floats in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- nor by words
-- *:2026 | fields cluster
-- above: scan: it writes floats in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- nor by number
-- *:>1000000000000000000 | fields cluster
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- nor as a text
-- *:starts | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- nor by a part of its name
-- _*:* | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the negation keeps the others
-- !*:~"2026" | fields cluster
-- above: scan: it writes floats in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the name of a stream is not looked at, whether computed or stored
-- *:~"kept|cluster=" | fields cluster
-- above: scan: it writes floats in another way
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- by its own name it is
-- _stream:~"kept" | fields cluster
SELECT t0.cluster
FROM logs AS t0
WHERE position(CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END, {attributes_part:String}) > 0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_part:String} = "kept"

-- under another name the time is a field as others are
-- * | rename _time as t | filter *:~"T00:00:03" | fields cluster
-- above: filter: it writes floats in another way
SELECT toUnixTimestamp64Nano(t0.time) AS t, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster,
  t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- what takes the name of the time is not looked at
-- * | format "kept" as _time | filter *:kept | fields cluster
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- the type of any value
-- *:value_type(uint8) | fields cluster
-- above: scan: `value-type` is read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- only the time has this type
-- *:value_type(iso8601) | fields cluster
-- above: scan: `value-type` is read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- an empty field that is there
-- *:"" | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
