SELECT count(*) AS c0
FROM logs AS t0
WHERE t0.time_ns >= :time_ns_from
  AND t0.time_ns < :time_ns_below
