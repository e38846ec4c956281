-- an inner join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- a left join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- the same in the other dialect
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- a right join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) right | sort by (w, v)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- two keys, one of them missing on both sides
-- side:l | fields k, k2, v | join by (k, k2) (side:r | fields k, k2, w) inner | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2, t0.attributes -> $4::text AS c3
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "k2"
-- $3::text = "v"
-- $4::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2, t0.attributes -> $4::text AS c3
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "k2"
-- $3::text = "w"
-- $4::text = "side"

-- a key that one side does not have at all
-- side:l | fields v, nowhere | join by (nowhere = k) (side:r | fields k, w) inner | fields v, w | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "nowhere"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- numbers, texts that read like them, and what is missing
-- side:n | fields n | join by (n) (side:m | fields n, w) | sort by (w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "n"
-- $2::text = "w"
-- $3::text = "side"

-- groups joined with groups keep every group
-- side:in(l, r) | stats by (k) count() c | join by (k) (side:r | stats by (k) count() d) | sort by (k)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "side"

-- a filter above on the missing key
-- side:l | fields k, v | join by (k) (side:r | fields k, w) inner | filter k:"" | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- a filter above on the key that is there
-- side:l | fields k, v | join by (k) (side:r | fields k, w) | filter k:* | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- a filter above a full join
-- side:l | fields k, v | join by (k) (side:r | fields k, w) full | filter k:"" | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"

-- a list with the empty value below one side
-- side:l k:in("", z) | fields k, v | join by (k) (side:r | fields k, w) | sort by (v, w)
-- above: scan: its values are of several kinds
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "v"
-- $3::text = "side"
SELECT t0.attributes -> $1::text AS c0, t0.attributes -> $2::text AS c1, t0.attributes -> $3::text AS c2
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1::text = "k"
-- $2::text = "w"
-- $3::text = "side"
