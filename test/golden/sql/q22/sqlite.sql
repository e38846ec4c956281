SELECT t0.workload AS c0, count(*) AS c1, count(*) FILTER (WHERE t0.level = :level) AS c2
FROM logs AS t0
GROUP BY t0.workload
ORDER BY t0.workload
