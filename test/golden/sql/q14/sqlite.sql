SELECT count(*) AS c0
FROM logs_words AS w1 CROSS JOIN logs AS t0 ON t0.id = w1.rowid
WHERE w1.logs_words MATCH :words
  AND t0.level <> :level
  AND t0.level <> :level_2
