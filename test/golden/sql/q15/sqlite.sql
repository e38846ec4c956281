SELECT count(*) AS "c0"
FROM "logs" AS "t0"
WHERE (("t0"."level" = ?1) OR ("t0"."status" = ?2))
  AND ("t0"."namespace" IN (?3, ?4))
  AND ("t0"."id" NOT IN (SELECT "w1"."rowid" AS "id"
  FROM "logs_words" AS "w1"
  WHERE ("w1"."logs_words" MATCH ?5)))
