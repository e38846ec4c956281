SELECT count(*) AS c0
FROM logs_words AS w1 CROSS JOIN logs AS t0 ON t0.id = w1.rowid
WHERE w1.logs_words MATCH :words
  AND sluice_test(:host_test, t0.content)
