-- as a column; what is missing or empty is left out, what is stored stays
-- * | fields n, _stream
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"

-- as a group key
-- * | stats by (_stream) count() as rows | sort by (_stream)
SELECT CASE WHEN q1.c0 IS NOT NULL THEN q1.c0 ELSE concat({workload_label:String}, substr(concat(CASE WHEN q1.c1 IS NOT NULL THEN concat({workload_label_2:String}, CASE WHEN match(q1.c1, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(q1.c1), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(q1.c1), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  count(q1.c2) AS c1, toString(sum(toInt128(q1.c2))) AS `rows`
FROM (
  SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS c0, nullIf(t0.workload, '') AS c1,
    count(*) AS c2,
    match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c3,
    match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c4
  FROM logs AS t0
  GROUP BY t0.attributes[{attributes_key:String}], nullIf(t0.workload, '')
) AS q1
GROUP BY CASE WHEN q1.c0 IS NOT NULL THEN q1.c0 ELSE concat({workload_label:String}, substr(concat(CASE WHEN q1.c1 IS NOT NULL THEN concat({workload_label_2:String}, CASE WHEN match(q1.c1, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(q1.c1), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(q1.c1), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END
ORDER BY _stream;
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key:String} = "_stream"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- in a filter
-- _stream:="{namespace=\"shop\",pod=\"cart-1\",workload=\"cart\"}" | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE CASE WHEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes:String} = "{namespace=\"shop\",pod=\"cart-1\",workload=\"cart\"}"

-- negated
-- -_stream:~"cart" | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE NOT (position(CASE WHEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END, {attributes_part:String}) > 0)
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_part:String} = "cart"

-- as a value of a function and as a key of distinct values
-- * | uniq by (_stream) | stats count_uniq(_stream) as streams
SELECT count(DISTINCT q1.c0) AS streams
FROM (
  SELECT CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS c0,
    match(CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END, {attributes_pattern:String}) AS c1
  FROM logs AS t0
  GROUP BY CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END
) AS q1;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- as a sort key
-- * | sort by (_stream desc, n) | fields n
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS c1,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"

-- once the columns are others it is made anew
-- * | set_stream_fields n | filter _stream:="{n=\"3\"}" | fields n, _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- in the text of a format, and as a parameter
-- * | format "<_stream>" as s | len(_stream) as bytes | fields n, s, bytes
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "n"

-- under another name, and as a key of a join
-- * | join by (_stream) (* | stats by (_stream) count() as rows) | rename _stream as s | fields n, rows
-- above: join: values of different kinds meet in one field
SELECT t0.workload,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS `rows`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "n"
-- {attributes_key_3:String} = "rows"
SELECT CASE WHEN q1.c0 IS NOT NULL THEN q1.c0 ELSE concat({workload_label:String}, substr(concat(CASE WHEN q1.c1 IS NOT NULL THEN concat({workload_label_2:String}, CASE WHEN match(q1.c1, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(q1.c1), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(q1.c1), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  count(q1.c2) AS c1, toString(sum(toInt128(q1.c2))) AS `rows`
FROM (
  SELECT nullIf(t0.attributes[{attributes_key:String}], '') AS c0, nullIf(t0.workload, '') AS c1,
    count(*) AS c2,
    match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c3,
    match(nullIf(t0.workload, ''), {workload_pattern:String}) AS c4
  FROM logs AS t0
  GROUP BY t0.attributes[{attributes_key:String}], nullIf(t0.workload, '')
) AS q1
GROUP BY CASE WHEN q1.c0 IS NOT NULL THEN q1.c0 ELSE concat({workload_label:String}, substr(concat(CASE WHEN q1.c1 IS NOT NULL THEN concat({workload_label_2:String}, CASE WHEN match(q1.c1, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(q1.c1), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(q1.c1), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END
ORDER BY _stream;
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key:String} = "_stream"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {workload_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…

-- values with their counts
-- * | field_values _stream | filter _stream:~"cart"
-- above: table-apply: table functions see whole rows of any shape
SELECT t0.workload,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"

-- a stage that names it makes it a field of the rows
-- n:=4 | format "<_stream>" as s
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
WHERE t0.attributes[{attributes_key_2:String}] = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "n"
-- {attributes:String} = "4"

-- an id for each stream
-- * | stats by (_stream) count_uniq(_stream_id) as ids | stats sum(ids) as ids, count() as streams
-- above: aggregate: `stream-id` is no function of its own
SELECT t0.workload,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"

-- the id of a stream made anew
-- * | set_stream_fields namespace | stats count_uniq(_stream_id) as ids
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.namespace,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream_id
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream_id"

-- only rows that meet the condition get another stream, the others keep theirs
-- * | set_stream_fields if (n:<=2) n | fields n, _stream, _stream_id
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "_stream_id"
-- {attributes_key_3:String} = "n"

-- the same once the names are columns
-- * | fields n, namespace, _stream, _stream_id | set_stream_fields if (n:=1) n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.namespace,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS _stream_id,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {attributes_key_2:String} = "_stream_id"
-- {attributes_key_3:String} = "n"

-- an id that is stored is that of the stream before
-- * | filter n:=4 | format "old" as _stream_id | set_stream_fields n | fields _stream, _stream_id
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
WHERE t0.attributes[{attributes_key:String}] = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"
-- {attributes:String} = "4"

-- other pipes write a stream's name in some rows
-- * | format if (n:=1) "mine" as _stream | fields n, _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "n"

-- a stream filter searches the streams that were made
-- * | set_stream_fields level | filter {level="error"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- the same in the other dialect
-- * | set_stream_fields level | filter {level="error"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- also under the name of the field
-- * | set_stream_fields level | filter _stream:{level="error"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- labels of the streams before are gone
-- * | set_stream_fields level | filter {namespace="shop"} | fields n
-- above: values: rows written in the query never touch stored data

-- negated, by a regular expression and by a list
-- * | set_stream_fields level, n | filter {level!="error"} or {level=~"err.*", n in (1, 5)} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- a label that a stream does not have is empty
-- * | set_stream_fields namespace, workload | filter {workload=""} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.namespace,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- labels by pattern
-- * | set_stream_fields na*, lev* | filter {level="error", namespace="shop"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a row that brought its own stream keeps it where no stream is made
-- * | set_stream_fields if (n:<5) level | filter {level="x"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level, t0.workload,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "n"

-- a stage that writes the name as a text
-- * | format "{a=\"<n>\"}" as _stream | filter {a="2"} | fields n
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "n"

-- in a condition of a function
-- * | set_stream_fields level | stats count() if ({level="error"}) errors, count() rows
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.level
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- a renamed field of the stream in front of a condition
-- * | rename namespace as ns | set_stream_fields if (n:=1) ns | fields n, _stream
-- above: apply: row functions read and write fields by rules that SQL has no words for
SELECT t0.workload, t0.namespace AS ns,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS n
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {attributes_key_2:String} = "n"

-- a field of the stream that is deleted or written over
-- * | delete workload | format "x" as namespace | fields n, _stream | limit 2
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS n,
  CASE WHEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) <> '' THEN if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) ELSE concat({workload_label:String}, substr(concat(CASE WHEN t0.workload <> '' THEN concat({workload_label_2:String}, CASE WHEN match(t0.workload, '[\\x0b\\x0e\\x0f\\x1a-\\x1f  ]') THEN replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(toJSONString(t0.workload), '\\/', '/'), '\\\\', char(1)), '\\u000B', '\\u000b'), '\\u000E', '\\u000e'), '\\u000F', '\\u000f'), '\\u001A', '\\u001a'), '\\u001B', '\\u001b'), '\\u001C', '\\u001c'), '\\u001D', '\\u001d'), '\\u001E', '\\u001e'), '\\u001F', '\\u001f'), '\\u2028', ' '), '\\u2029', ' '), char(1), '\\\\') ELSE replaceAll(toJSONString(t0.workload), '\\/', '/') END) ELSE '' END, ''), 2), {workload_label_3:String}) END AS _stream
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_key_2:String} = "_stream"
-- {workload_label:String} = "{"
-- {workload_label_2:String} = ",workload="
-- {workload_label_3:String} = "}"
-- {limit:Int64} = 2
