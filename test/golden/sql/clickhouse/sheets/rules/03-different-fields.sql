-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE lower(t0.level) = {p1:String}
  AND lower(t0.workload) IN ({p2:String}, {p3:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "error"
-- {p2:String} = "api"
-- {p3:String} = "apİ"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.workload) IN ({p1:String}, {p2:String})
  AND match(lower(t0.content), {p3:String})
  AND ((length(t0.content) = lengthUTF8(t0.content)) OR match(lower(t0.content), {p4:String}) OR match(lower(t0.content), {p5:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "api"
-- {p2:String} = "apİ"
-- {p3:String} = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- {p4:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])t[iİ]meout(?:[^0-9A-Za-z_\\x{…
-- {p5:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two words
-- timeout ok
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, toJSONString(t0.attributes) AS c12
FROM logs AS t0
WHERE match(lower(t0.content), {p1:String})
  AND ((length(t0.content) = lengthUTF8(t0.content)) OR match(lower(t0.content), {p2:String}) OR match(lower(t0.content), {p3:String}))
  AND match(lower(t0.content), {p4:String})
  AND ((length(t0.content) = lengthUTF8(t0.content)) OR match(lower(t0.content), {p5:String}) OR match(lower(t0.content), {p6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- {p2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])t[iİ]meout(?:[^0-9A-Za-z_\\x{…
-- {p3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {p4:String} = "(?s)(?:^|[^0-9A-Za-z_])o[kK](?:[^0-9A-Za-z_]|$)"
-- {p5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])o[kK](?:[^0-9A-Za-z_\\x{80}-\…
-- {p6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- fields nobody has
-- nobody:here workload:api
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content, toJSONString(t0.attributes) AS c12
FROM logs AS t0
WHERE lower(t0.attributes[{p1:String}]) = {p2:String}
  AND lower(t0.workload) IN ({p3:String}, {p4:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {p1:String} = "nobody"
-- {p2:String} = "here"
-- {p3:String} = "api"
-- {p4:String} = "apİ"
