SELECT count(*) AS c0
FROM logs AS t0
WHERE instr(lower(t0.content), :content_part) > 0
