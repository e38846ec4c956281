SELECT count(*) AS "c0"
FROM "logs" AS "t0"
WHERE sluice_test(?1, "t0"."content")
