/** The most frequent bytes of log texts, in descending order. */
const common = ' etaoinsr0lhd1c2um3f45p6789g.w/-:=ybv_k,"'

/** The rank of each byte by frequency in log texts; all bytes that are not listed share one rank. */
export const byteRarity: Uint8Array = new Uint8Array(256).fill(common.length)
for (let place = 0; place < common.length; place++) byteRarity[common.charCodeAt(place)] = place
