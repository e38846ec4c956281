-- digits beyond the largest float are not a number
-- v:>5 | sort by (_time) | fields v
-- above: scan: texts that are numbers, durations, sizes, times or addresses are read one by one
SELECT toUnixTimestamp64Nano(t0.time) AS _time,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes_pattern:String} = "(?s)^[-+.0-9IiNn]"

-- nor do they equal the infinite
-- v:="1e400" | sort by (_time) | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE t0.attributes[{attributes_key:String}] = {attributes:String}
ORDER BY t0.time, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "1e400"

-- sums leave them out
-- v:!inf | stats sum(v) as s, count() as n
SELECT count(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String})) AS c0,
  toString(sum(toInt128(toInt64OrNull(t0.attributes[{attributes_key:String}]))) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c1,
  toJSONString(groupArray(t0.attributes[{attributes_key:String}]) FILTER (WHERE match(t0.attributes[{attributes_key:String}], {attributes_pattern_2:String}) AND NOT match(t0.attributes[{attributes_key:String}], {attributes_pattern:String}))) AS c2,
  count(*) AS n
FROM logs AS t0
WHERE (NOT (lower(t0.attributes[{attributes_key:String}]) IN ({attributes:String}, {attributes_2:String})) OR t0.attributes[{attributes_key:String}] = '');
-- {attributes_key:String} = "v"
-- {attributes_pattern:String} = "^(?:0|-?[1-9][0-9]{0,17})$"
-- {attributes_pattern_2:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {attributes:String} = "inf"
-- {attributes_2:String} = "İnf"
