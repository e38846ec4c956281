SELECT count(*) AS c0
FROM logs AS t0
WHERE sluice_test(:host_test, t0.content)
