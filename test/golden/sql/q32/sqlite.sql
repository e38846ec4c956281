SELECT count(*) AS "c0"
FROM "logs" AS "t0"
WHERE ("t0"."duration_ms" > ?1)
  AND ("t0"."status" IN (?2, ?3, ?4))
