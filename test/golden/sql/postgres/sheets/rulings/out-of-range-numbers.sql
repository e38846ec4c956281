-- digits beyond the largest float are not a number
-- v:>5 | sort by (_time) | fields v
-- above: scan: numbers among its values are written in another way
SELECT (extract(epoch FROM t0.time) * 1000000)::bigint * 1000 AS _time, t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE (jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($2::text::jsonb) OR jsonb_typeof(t0.attributes -> $1::text) = 'string' AND ((t0.attributes ->> $1::text) COLLATE "C") ~ $3::text)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes_from = "4.999999999999999555910790149937383830547332763671875"
-- $3 attributes_pattern = "^[\\u002d\\u002b\\u002e0-9IiNn]"

-- nor do they equal the infinite
-- v:="1e400" | sort by (_time) | fields v
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE (t0.attributes ->> $1::text) = $2::text
ORDER BY t0.time, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "1e400"

-- sums leave them out
-- v:!inf | stats sum(v) as s, count() as n
-- above: aggregate: `sum`: its values are of several kinds
SELECT t0.attributes -> $1::text AS v
FROM logs AS t0
WHERE NOT ((((t0.attributes ->> $1::text) = ANY($2::text[]) OR jsonb_typeof(t0.attributes -> $1::text) = 'number' AND (t0.attributes -> $1::text) >= ($3::text::jsonb))) IS TRUE)
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "v"
-- $2 attributes = "{\"inf\",\"Inf\",\"İnf\",\"iNf\",\"INf\",\"İNf\",\"inF\",\"InF\",\"İnF\…
-- $3 attributes_from = "17976931348623158079372897140530341507993413271003782693617377898044496…
