SELECT count(*) AS "c0"
FROM "logs" AS "t0"
WHERE ("t0"."time_ns" >= ?1)
  AND ("t0"."time_ns" < ?2)
