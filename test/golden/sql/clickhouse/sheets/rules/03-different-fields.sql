-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE lower(t0.level) = {level:String}
  AND lower(t0.workload) IN ({workload:String}, {workload_2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {level:String} = "error"
-- {workload:String} = "api"
-- {workload_2:String} = "apİ"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE lower(t0.workload) IN ({workload:String}, {workload_2:String})
  AND match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {workload:String} = "api"
-- {workload_2:String} = "apİ"
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])t[iİ]meout(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two words
-- timeout ok
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE match(lower(t0.content), {content_pattern:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_2:String}) OR match(lower(t0.content), {content_pattern_3:String}))
  AND match(lower(t0.content), {content_pattern_4:String})
  AND (length(t0.content) = lengthUTF8(t0.content) OR match(lower(t0.content), {content_pattern_5:String}) OR match(lower(t0.content), {content_pattern_6:String}))
ORDER BY t0.time DESC, t0.seq DESC;
-- {content_pattern:String} = "(?s)(?:^|[^0-9A-Za-z_])t[iİ]meout(?:[^0-9A-Za-z_]|$)"
-- {content_pattern_2:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])t[iİ]meout(?:[^0-9A-Za-z_\\x{…
-- {content_pattern_3:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- {content_pattern_4:String} = "(?s)(?:^|[^0-9A-Za-z_])o[kK](?:[^0-9A-Za-z_]|$)"
-- {content_pattern_5:String} = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])o[kK](?:[^0-9A-Za-z_\\x{80}-\…
-- {content_pattern_6:String} = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- fields nobody has
-- nobody:here workload:api
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
  AND lower(t0.workload) IN ({workload:String}, {workload_2:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "nobody"
-- {attributes:String} = "here"
-- {workload:String} = "api"
-- {workload_2:String} = "apİ"
