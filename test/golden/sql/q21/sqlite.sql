SELECT t0.workload AS c0, count(*) AS c1
FROM logs AS t0
GROUP BY t0.workload
ORDER BY c1 DESC, t0.workload
LIMIT :limit
