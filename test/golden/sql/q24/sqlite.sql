SELECT count(DISTINCT t0.trace_id) AS c0
FROM logs AS t0
