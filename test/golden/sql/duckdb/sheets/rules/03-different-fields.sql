-- two fields
-- level:error workload:api | fields level, workload
SELECT t0.level, t0.workload
FROM logs AS t0
WHERE (t0.level >= $level_from AND t0.level < $level_below OR t0.level >= $level_from_2 AND t0.level < $level_below_2)
  AND lower(t0.level) = $level
  AND (t0.workload >= $workload_from AND t0.workload < $workload_below OR t0.workload >= $workload_from_2 AND t0.workload < $workload_below_2)
  AND lower(t0.workload) = $workload
ORDER BY t0.time DESC, t0.seq DESC;
-- $level_from = "e"
-- $level_below = "f"
-- $level_from_2 = "E"
-- $level_below_2 = "F"
-- $level = "error"
-- $workload_from = "a"
-- $workload_below = "b"
-- $workload_from_2 = "A"
-- $workload_below_2 = "B"
-- $workload = "api"

-- a field and a word
-- workload:api timeout | fields level
SELECT t0.level
FROM logs AS t0
WHERE (t0.workload >= $workload_from AND t0.workload < $workload_below OR t0.workload >= $workload_from_2 AND t0.workload < $workload_below_2)
  AND lower(t0.workload) = $workload
  AND contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
ORDER BY t0.time DESC, t0.seq DESC;
-- $workload_from = "a"
-- $workload_below = "b"
-- $workload_from_2 = "A"
-- $workload_below_2 = "B"
-- $workload = "api"
-- $content_part = "timeout"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- two words
-- timeout ok
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE contains(lower(t0.content), $content_part)
  AND (regexp_matches(lower(t0.content), $content_pattern) OR regexp_matches(lower(t0.content), $content_pattern_2) AND regexp_matches(lower(t0.content), $content_pattern_3))
  AND contains(lower(t0.content), $content_part_2)
  AND (regexp_matches(lower(t0.content), $content_pattern_4) OR regexp_matches(lower(t0.content), $content_pattern_5) AND regexp_matches(lower(t0.content), $content_pattern_6))
ORDER BY t0.time DESC, t0.seq DESC;
-- $content_part = "timeout"
-- $content_pattern = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])timeout(?:[^0-9A-Za-z_\\x{80}…
-- $content_pattern_2 = "(?s)(?:^|[^0-9A-Za-z_])timeout(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_3 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…
-- $content_part_2 = "ok"
-- $content_pattern_4 = "(?s)(?:^|[^0-9A-Za-z_\\x{80}-\\x{10ffff}])ok(?:[^0-9A-Za-z_\\x{80}-\\x{…
-- $content_pattern_5 = "(?s)(?:^|[^0-9A-Za-z_])ok(?:[^0-9A-Za-z_]|$)"
-- $content_pattern_6 = "(?s)(?:^|[^\\pL\\p{Nd}_\\x{88f}\\x{c5c}\\x{cdc}\\x{1c89}-\\x{1c8a}\\x{a…

-- fields nobody has
-- nobody:here workload:api
SELECT epoch_ns(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env, t0.cluster, t0.pod,
  t0.trace_id, t0.status, t0.duration_ms, t0.content, to_json(t0.attributes) AS attributes
FROM logs AS t0
WHERE (t0.attributes[$attributes_key] >= $attributes_from AND t0.attributes[$attributes_key] < $attributes_below OR t0.attributes[$attributes_key] >= $attributes_from_2 AND t0.attributes[$attributes_key] < $attributes_below_2)
  AND lower(t0.attributes[$attributes_key]) = $attributes
  AND (t0.workload >= $workload_from AND t0.workload < $workload_below OR t0.workload >= $workload_from_2 AND t0.workload < $workload_below_2)
  AND lower(t0.workload) = $workload
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "nobody"
-- $attributes_from = "h"
-- $attributes_below = "i"
-- $attributes_from_2 = "H"
-- $attributes_below_2 = "I"
-- $attributes = "here"
-- $workload_from = "a"
-- $workload_below = "b"
-- $workload_from_2 = "A"
-- $workload_below_2 = "B"
-- $workload = "api"
