SELECT DISTINCT "t0"."pod" AS "c0"
FROM "logs" AS "t0"
ORDER BY "t0"."pod"
