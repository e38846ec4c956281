import zlib from 'node:zlib'

/**
 * The checksum of bytes, an unsigned integer of 32 bits; from Node 20.15 on. By name from `node:zlib` it would end the load
 * on an older Node before the package can say that it needs a newer one.
 */
export const { crc32 } = zlib
