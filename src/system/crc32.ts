import zlib from 'node:zlib'

/**
 * Returns the CRC-32 checksum of bytes as an unsigned 32-bit integer. Requires Node 20.15. A named import would fail at
 * load time on an older Node, before the package can report the required version.
 */
export const { crc32 } = zlib
