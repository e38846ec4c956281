export const MIB = 2 ** 20

/** Bytes of a memory page, and of a block in most file systems. */
export const PAGE_BYTES = 4096
