SELECT count(*) AS c0
FROM logs AS t0
WHERE t0.duration_ms > :duration_ms_above
  AND t0.status IN (:status, :status_2, :status_3)
