SELECT (("t0"."time_ns" - (("t0"."time_ns" % ?1) + ?1) % ?1) >> 32) AS "c0", (("t0"."time_ns" - (("t0"."time_ns" % ?1) + ?1) % ?1) & 4294967295) AS "c1", count(*) AS "c2"
FROM "logs" AS "t0"
GROUP BY "t0"."time_ns" - (("t0"."time_ns" % ?1) + ?1) % ?1
ORDER BY "t0"."time_ns" - (("t0"."time_ns" % ?1) + ?1) % ?1
