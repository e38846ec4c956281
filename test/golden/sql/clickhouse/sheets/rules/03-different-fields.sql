-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.level, 'İ', 'i'))) = {p1:String}
  AND (lowerUTF8(replaceAll(t0.workload, 'İ', 'i'))) = {p2:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "api"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.workload, 'İ', 'i'))) = {p1:String}
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p2:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p3:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "api"
-- {p2:String} = "timeout"
-- {p3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two words
-- timeout ok
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, toJSONString(t0.attributes) AS c12
FROM logs AS t0
WHERE (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p1:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p2:String})
  AND (position((lowerUTF8(replaceAll(t0.content, 'İ', 'i'))), {p3:String}) > 0)
  AND match(lowerUTF8(replaceAll(t0.content, 'İ', 'i')), {p4:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "timeout"
-- {p2:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p3:String} = "ok"
-- {p4:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- fields nobody has
-- nobody:here workload:api
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, toJSONString(t0.attributes) AS c12
FROM logs AS t0
WHERE (lowerUTF8(replaceAll(t0.attributes[{p1:String}], 'İ', 'i'))) = {p2:String}
  AND (lowerUTF8(replaceAll(t0.workload, 'İ', 'i'))) = {p3:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "nobody"
-- {p2:String} = "here"
-- {p3:String} = "api"
