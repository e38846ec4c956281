-- the first page
-- * | sort by (n asc) | offset 0 | limit 2 | fields content
SELECT t0.content,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c1,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 2

-- the second page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
SELECT t0.content,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c1,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 4

-- the last page
-- * | sort by (n asc) | offset 4 | limit 2 | fields content
SELECT t0.content,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c1,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 6

-- beyond the last page
-- * | sort by (n asc) | offset 6 | limit 2 | fields content
SELECT t0.content,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c1,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 8

-- pages without a sort
-- * | offset 2 | limit 2 | fields content
SELECT t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC
LIMIT {limit:Int64}
OFFSET {offset:Int64};
-- {limit:Int64} = 2
-- {offset:Int64} = 2

-- a plan for a page
-- * | sort by (n asc) | offset 2 | limit 2 | fields content
SELECT t0.content,
  match(nullIf(t0.attributes[{attributes_key:String}], ''), {attributes_pattern:String}) AS c1,
  nullIf(t0.attributes[{attributes_key:String}], '') AS c2, toUnixTimestamp64Nano(t0.time) AS c3,
  t0.seq AS c4
FROM logs AS t0
ORDER BY c1 DESC, c2, t0.time DESC, t0.seq DESC
LIMIT {limit:Int64};
-- {attributes_key:String} = "n"
-- {attributes_pattern:String} = "^(?:[+-]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][+-]?\\d+)?|[+-]…
-- {limit:Int64} = 4
