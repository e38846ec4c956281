-- a number directly behind a letter
-- pattern_match("user<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- a number directly behind a letter, in the other dialect
-- content:pattern_match("user<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- the same for a whole value
-- pattern_match_full("user<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- the same at the start
-- pattern_match_prefix("user<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- the same at the end
-- pattern_match_suffix("user<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- a number in capital letters, an address, a date with time
-- pattern_match("ID<N>") pattern_match("ip<IP4>") pattern_match("at<DATETIME>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- an id
-- pattern_match_full("id<UUID>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- a date and a time
-- pattern_match_full("on<DATE> t<TIME>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- hexadecimal digits
-- pattern_match("k<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- at the beginning of the pattern the boundaries of folding hold
-- pattern_match("<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- a word behind a letter
-- pattern_match_full("us<W>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"

-- what the pattern does not find
-- !pattern_match("user<N>") !pattern_match("<N>") | fields n
-- above: scan: `pattern-match` is read one by one
SELECT t0.attributes -> $1::text AS n, t0.content
FROM logs AS t0
ORDER BY t0.time DESC, t0.seq DESC;
-- $1 attributes_key = "n"
