-- values as they are
-- * | fields v, e, flag, deep.a.b
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v,
  if(mapContains(t0.attributes, {attributes_key_2:String}), t0.attributes[{attributes_key_2:String}], NULL) AS e,
  if(mapContains(t0.attributes, {attributes_key_3:String}), t0.attributes[{attributes_key_3:String}], NULL) AS flag,
  if(mapContains(t0.attributes, {attributes_key_4:String}), t0.attributes[{attributes_key_4:String}], NULL) AS `deep.a.b`
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes_key_2:String} = "e"
-- {attributes_key_3:String} = "flag"
-- {attributes_key_4:String} = "deep.a.b"

-- a big integer is found exactly
-- v:9007199254740993 | fields cluster, v
SELECT t0.cluster,
  if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "9007199254740993"

-- and its neighbour is not
-- v:9007199254740992 | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "9007199254740992"

-- zero has no sign
-- v:0 | fields v
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS v
FROM logs AS t0
WHERE lower(t0.attributes[{attributes_key:String}]) = {attributes:String}
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "v"
-- {attributes:String} = "0"

-- false is a value
-- flag:* | fields flag
SELECT if(mapContains(t0.attributes, {attributes_key:String}), t0.attributes[{attributes_key:String}], NULL) AS flag
FROM logs AS t0
WHERE t0.attributes[{attributes_key:String}] <> ''
ORDER BY t0.time DESC, t0.seq DESC;
-- {attributes_key:String} = "flag"

-- any field with a prefix
-- deep*:1 | fields workload
-- above: scan: fields that nobody declared are looked through row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- any field at all
-- *:api | fields cluster
-- above: scan: fields that nobody declared are looked through row by row
SELECT toUnixTimestamp64Nano(t0.time) AS _time, t0.seq, t0.level, t0.workload, t0.namespace, t0.env,
  t0.cluster, t0.pod, t0.trace_id, t0.status, t0.duration_ms, t0.content,
  toJSONString(t0.attributes) AS attributes
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- two fields of one value
-- workload:eq_field(pod) | fields cluster
-- above: scan: the condition is a function that is not its own
SELECT t0.cluster, t0.workload, t0.pod
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;

-- p and not p add up
-- v:>0 or -v:>0 | stats count() n
SELECT count(*) AS n
FROM logs AS t0;
