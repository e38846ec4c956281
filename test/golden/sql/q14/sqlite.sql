SELECT count(*) AS "c0"
FROM "logs_words" AS "w1" CROSS JOIN "logs" AS "t0" ON "t0"."id" = "w1"."rowid"
WHERE ("w1"."logs_words" MATCH ?1)
  AND ("t0"."level" <> ?2)
  AND ("t0"."level" <> ?3)
