SELECT t0.workload AS c0, t0.pod AS c1, t0.status AS c2, count(*) AS c3,
  sluice_exact_mean(count(t0.duration_ms), sum(CAST(t0.duration_ms AS INTEGER)), sum(CAST((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 AS INTEGER)), sum(CAST(((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 - CAST((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 AS INTEGER)) * 68719476736.0 AS INTEGER))) AS c4
FROM logs AS t0
GROUP BY t0.workload, t0.pod, t0.status
ORDER BY c3 DESC, t0.pod, t0.status, t0.workload
LIMIT :limit
