SELECT count(*) AS c0
FROM logs AS t0
WHERE t0.level IN (:level, :level_2)
  AND t0.namespace = :namespace
