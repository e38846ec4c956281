import zlib from 'node:zlib'
import { CHUNK_BYTES } from '../../../base/index.ts'
import { packing } from '../layout.ts'

/**
 * zstd functions of Node 22.15 and later; `undefined` in older versions, which use deflate and cannot read zstd blocks.
 */
const { zstdCompressSync, zstdDecompressSync } = zlib as Partial<typeof zlib>

export interface PackedBytes {
  readonly packing: number
  readonly bytes: Uint8Array
}

/** Compression must save at least 1 of this many bytes; otherwise decompression would not be worthwhile. */
const LEAST_SHARE = 16
const { ZSTD_c_compressionLevel: zstdLevel, ZSTD_c_minMatch: leastMatch } = zlib.constants
/**
 * Parameters of zstd. Higher levels take much longer and save little. `minMatch` excludes short matches, which cost
 * time and space: repeated strings in texts are longer, and in encoded numbers short matches are accidental. Words use
 * the default, since many share short prefixes.
 */
const zstdParameters = {
  texts: { [zstdLevel]: 2, [leastMatch]: 6 },
  words: { [zstdLevel]: 1 },
  others: { [zstdLevel]: 1, [leastMatch]: 7 },
}
export type PackedKind = keyof typeof zstdParameters

/** Compresses bytes if that saves enough; otherwise returns them unchanged. */
export function packed(bytes: Uint8Array, kind: PackedKind = 'others'): PackedBytes {
  // zlib retains its last buffer in full, so the buffer should be no longer than most compressed blocks. zlib requires
  // at least 64 bytes.
  const chunkSize = Math.max(64, Math.min(Math.ceil(bytes.length / 3), CHUNK_BYTES))
  const tried =
    zstdCompressSync?.(bytes, { chunkSize, params: zstdParameters[kind] }) ?? zlib.deflateRawSync(bytes, { level: 4 })
  if (tried.length > bytes.length - bytes.length / LEAST_SHARE) return { packing: packing.none, bytes }
  return { packing: zstdCompressSync === undefined ? packing.deflate : packing.zstd, bytes: tried }
}

/** Thrown for damaged compressed bytes; the message says what is wrong. */
export class PackingFault extends Error {}

/** Decompresses to exactly `length` bytes. Throws PackingFault if that fails. */
export function unpacked(stored: Buffer, kind: number, length: number): Buffer {
  if (kind === packing.none) {
    if (stored.length !== length) throw new PackingFault('its length is not that of the table of blocks')
    return stored
  }
  // zlib treats 0 as no limit. One buffer slightly longer than the result avoids joining many buffers of 16 KiB.
  const limits = { maxOutputLength: Math.max(1, length), chunkSize: Math.min(length, CHUNK_BYTES) + 64 }
  let bytes: Buffer
  try {
    if (kind === packing.deflate) bytes = zlib.inflateRawSync(stored, limits)
    else if (kind !== packing.zstd) throw new PackingFault(`its packing ${kind} is not known`)
    else if (zstdDecompressSync === undefined)
      throw new PackingFault('it is packed with zstd, which Node reads from 22.15 on')
    else bytes = zstdDecompressSync(stored, limits)
  } catch (error) {
    if (error instanceof PackingFault) throw error
    throw new PackingFault('it cannot be unpacked')
  }
  if (bytes.length !== length) throw new PackingFault('its length is not that of the table of blocks')
  return bytes
}

/** Bytes as stored, with their decompressed length. */
export interface PackedPart {
  readonly stored: Buffer
  readonly packing: number
  readonly length: number
}

/** True if this version of Node decompresses concatenated zstd frames. Set to false at the first failure. */
let areFramesJoined = true

/**
 * Yields the decompressed bytes of each part. Several zstd frames are concatenated and decompressed in one call,
 * because starting zstd has a high fixed cost. Throws PackingFault.
 */
export function* unpackedTogether(parts: readonly PackedPart[]): Generator<Buffer> {
  for (let from = 0; from < parts.length;) {
    const some = joinable(parts, from)
    const bytes = some.length > 1 ? joined(some) : undefined
    let at = 0
    for (const { stored, packing: kind, length } of some)
      yield bytes === undefined ? unpacked(stored, kind, length) : bytes.subarray(at, (at += length))
    // Each frame alone was valid, so this version of Node cannot decompress concatenated frames.
    if (bytes === undefined && some.length > 1) areFramesJoined = false
    from += some.length
  }
}

/** Returns the parts from index `from` on that can be decompressed in one call; at least one. */
function joinable(parts: readonly PackedPart[], from: number): readonly PackedPart[] {
  if (!areFramesJoined) return parts.slice(from, from + 1)
  let to = from
  for (let length = 0; to < parts.length && parts[to].packing === packing.zstd; to++) {
    length += parts[to].length
    if (length > CHUNK_BYTES) break
  }
  return parts.slice(from, Math.max(to, from + 1))
}

/**
 * Returns the decompressed bytes of all parts; `undefined` on failure. The caller then decompresses them one by one,
 * which shows the faulty part.
 */
function joined(parts: readonly PackedPart[]): Buffer | undefined {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  try {
    return unpacked(Buffer.concat(parts.map(({ stored }) => stored)), packing.zstd, length)
  } catch (error) {
    if (error instanceof PackingFault) return undefined
    throw error
  }
}
