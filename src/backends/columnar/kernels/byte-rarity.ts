/** The commonest bytes of log texts, the most common first. */
const common = ' etaoinsr0lhd1c2um3f45p6789g.w/-:=ybv_k,"'

/** How rare each byte is in log texts: places in the order of the common ones, one value for all others. */
export const byteRarity: Uint8Array = new Uint8Array(256).fill(common.length)
for (let place = 0; place < common.length; place++) byteRarity[common.charCodeAt(place)] = place
