SELECT count(*) AS c0
FROM logs AS t0
WHERE (t0.level = :level OR t0.status = :status)
  AND t0.namespace IN (:namespace, :namespace_2)
  AND (t0.id NOT IN (SELECT w1.rowid AS id
  FROM logs_words AS w1
  WHERE w1.logs_words MATCH :words))
