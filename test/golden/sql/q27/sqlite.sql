SELECT t0.trace_id AS c0, count(*) AS c1
FROM logs AS t0
GROUP BY t0.trace_id
ORDER BY c1 DESC, t0.trace_id
LIMIT :limit
