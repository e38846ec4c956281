/** The first hash and the factor of FNV-1a with 32 bits. */
export const FNV_FIRST = 0x811c9dc5
export const FNV_FACTOR = 0x01000193
