SELECT ((t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width) >> 32) AS c0,
  ((t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width) & 4294967295) AS c1,
  t0.level AS c2, count(*) AS c3
FROM logs_words AS w1 CROSS JOIN logs AS t0 ON t0.id = w1.rowid
WHERE w1.logs_words MATCH :words
GROUP BY t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width, t0.level
ORDER BY t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width, t0.level
