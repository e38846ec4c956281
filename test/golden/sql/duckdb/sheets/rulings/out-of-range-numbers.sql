-- digits beyond the largest float are not a number
-- v:>5 | sort by (_time) | fields v
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT epoch_ns(t0.time) AS _time, t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)
ORDER BY t0.time DESC, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes_pattern = "(?s)^[-+.0-9IiNn]"

-- nor do they equal the infinite
-- v:="1e400" | sort by (_time) | fields v
SELECT t0.attributes[$attributes_key] AS v
FROM logs AS t0
WHERE t0.attributes[$attributes_key] = $attributes
ORDER BY t0.time, t0.seq DESC;
-- $attributes_key = "v"
-- $attributes = "1e400"

-- sums leave them out
-- v:!inf | stats sum(v) as s, count() as n
SELECT count(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS c0,
  CAST(sum(TRY_CAST(t0.attributes[$attributes_key] AS BIGINT)) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern)) AS VARCHAR) AS c1,
  to_json(list(t0.attributes[$attributes_key]) FILTER (WHERE regexp_matches(t0.attributes[$attributes_key], $attributes_pattern_2) AND NOT regexp_matches(t0.attributes[$attributes_key], $attributes_pattern))) AS c2,
  count(*) AS n
FROM logs AS t0
WHERE lower(t0.attributes[$attributes_key]) IS DISTINCT FROM $attributes;
-- $attributes_key = "v"
-- $attributes_pattern = "^(?:0|-?[1-9][0-9]{0,17})$"
-- $attributes_pattern_2 = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- $attributes = "inf"
