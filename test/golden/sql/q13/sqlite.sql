SELECT count(*) AS "c0"
FROM "logs" AS "t0"
WHERE ("t0"."level" IN (?1, ?2))
  AND ("t0"."namespace" = ?3)
