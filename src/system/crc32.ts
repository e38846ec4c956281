import zlib from 'node:zlib'

/**
 * Returns the CRC-32 checksum of bytes as an unsigned 32-bit integer. Node has it since 20.15. It is read from the
 * default export because a named import fails at load time on an older Node, before the package can report the required
 * version.
 */
export const { crc32 } = zlib
