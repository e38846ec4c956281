/** The offset basis and the prime of 32-bit FNV-1a. */
export const FNV_FIRST = 0x811c9dc5
export const FNV_FACTOR = 0x01000193
