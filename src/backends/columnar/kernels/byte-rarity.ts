/** The most frequent bytes of log messages, most frequent first. */
const common = ' etaoinsr0lhd1c2um3f45p6789g.w/-:=ybv_k,"'

/**
 * Rank of each byte by frequency in log messages; 0 is the most frequent one. All bytes outside `common` share the last
 * rank.
 */
export const byteRarity: Uint8Array = new Uint8Array(256).fill(common.length)
for (let rank = 0; rank < common.length; rank++) byteRarity[common.charCodeAt(rank)] = rank
