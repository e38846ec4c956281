SELECT t0.namespace AS c0, t0.level AS c1, count(*) AS c2,
  sluice_exact_mean(count(t0.duration_ms), sum(CAST(t0.duration_ms AS INTEGER)), sum(CAST((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 AS INTEGER)), sum(CAST(((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 - CAST((t0.duration_ms - CAST(t0.duration_ms AS INTEGER)) * 68719476736.0 AS INTEGER)) * 68719476736.0 AS INTEGER))) AS c3
FROM logs AS t0
WHERE t0.time_ns >= :time_ns_from
  AND t0.time_ns < :time_ns_below
GROUP BY t0.namespace, t0.level
ORDER BY t0.namespace, t0.level
