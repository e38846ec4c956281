SELECT ((t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width) >> 32) AS c0,
  ((t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width) & 4294967295) AS c1,
  count(*) AS c2
FROM logs AS t0
GROUP BY t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width
ORDER BY t0.time_ns - ((t0.time_ns % :time_ns_width) + :time_ns_width) % :time_ns_width
