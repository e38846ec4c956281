export const MIB = 2 ** 20

/** Bytes of a page of memory, and of a block of most file systems. */
export const PAGE_BYTES = 4096
