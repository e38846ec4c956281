SELECT (t0.time_ns >> 32) AS c0, (t0.time_ns & 4294967295) AS c1, t0.level AS c2, t0.workload AS c3,
  t0.namespace AS c4, t0.env AS c5, t0.cluster AS c6, t0.pod AS c7, t0.container AS c8,
  t0.trace_id AS c9, t0.span_id AS c10, t0.status AS c11, t0.duration_ms AS c12, t0.content AS c13,
  t0.rest AS c14
FROM logs AS t0
WHERE t0.trace_id = :trace_id
ORDER BY t0.time_ns DESC, t0.id DESC
LIMIT :limit
