SELECT t0.level AS c0, count(*) AS c1
FROM logs AS t0
GROUP BY t0.level
ORDER BY t0.level
