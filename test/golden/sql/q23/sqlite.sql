SELECT t0.workload AS c0,
  sluice_exact_mean(count(t0.duration_ms), sum(CAST(t0.duration_ms AS INTEGER)), sum(CAST((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 AS INTEGER)), sum(CAST(((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 - CAST((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 AS INTEGER)) * 68719476736.0 AS INTEGER))) AS c1,
  sluice_stats(:host_stats, t0.duration_ms) AS c2, sluice_stats(:host_stats_2, t0.duration_ms) AS c3
FROM logs AS t0
GROUP BY t0.workload
ORDER BY t0.workload
