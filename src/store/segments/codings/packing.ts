import zlib from 'node:zlib'
import { CHUNK_BYTES } from '../../../base/index.ts'
import { packing } from '../layout.ts'

/** Node has these from 22.15 on; before, blocks are packed by deflate and packed ones of others cannot be read. */
const { zstdCompressSync, zstdDecompressSync } = zlib as Partial<typeof zlib>

export interface PackedBytes {
  readonly packing: number
  readonly bytes: Uint8Array
}

/** Packing has to save one byte in so many, or unpacking is not worth its time. */
const LEAST_SHARE = 16
const { ZSTD_c_compressionLevel: zstdLevel, ZSTD_c_minMatch: leastMatch } = zlib.constants
/**
 * What zstd is asked for. Higher levels gain next to nothing: a row of the bench has 82.5 bytes with levels 6 (texts) and 3, 84.0 with these, for half the
 * time. Shorter matches than these cost time and bytes: what repeats in texts is longer, and in coded numbers it is chance. Words have many
 * short beginnings in common.
 */
const zstdParameters = {
  texts: { [zstdLevel]: 2, [leastMatch]: 6 },
  words: { [zstdLevel]: 1 },
  others: { [zstdLevel]: 1, [leastMatch]: 7 },
}
export type PackedKind = keyof typeof zstdParameters

/** The bytes packed where that gains, else as they are. */
export function packed(bytes: Uint8Array, kind: PackedKind = 'others'): PackedBytes {
  // The last buffer is held whole, so it is no longer than most blocks become; zlib asks for 64 bytes at least.
  const chunkSize = Math.max(64, Math.min(Math.ceil(bytes.length / 3), CHUNK_BYTES))
  const tried =
    zstdCompressSync?.(bytes, { chunkSize, params: zstdParameters[kind] }) ?? zlib.deflateRawSync(bytes, { level: 4 })
  if (tried.length > bytes.length - bytes.length / LEAST_SHARE) return { packing: packing.none, bytes }
  return { packing: zstdCompressSync === undefined ? packing.deflate : packing.zstd, bytes: tried }
}

/** What is wrong with packed bytes, in words. */
export class PackingFault extends Error {}

/** The `length` bytes that were packed. Throws PackingFault. */
export function unpacked(stored: Buffer, kind: number, length: number): Buffer {
  if (kind === packing.none) {
    if (stored.length !== length) throw new PackingFault('its length is not that of the table of blocks')
    return stored
  }
  // A length of nothing is no limit to the unpackers. They fill one buffer that is a little longer, where they would join many
  // of 16 KiB: half the time for a megabyte.
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

/** Bytes as they are stored, and how many they are once they are unpacked. */
export interface PackedPart {
  readonly stored: Buffer
  readonly packing: number
  readonly length: number
}

/** Whether this Node goes on behind a frame of zstd that has ended. Where it does not, that shows once. */
let areFramesJoined = true

/**
 * The bytes of many parts, as `unpacked` gives them. To begin costs zstd as much as 16 KiB do, so frames are put one behind
 * another and unpacked by one call. Throws PackingFault.
 */
export function* unpackedTogether(parts: readonly PackedPart[]): Generator<Buffer> {
  for (let from = 0; from < parts.length;) {
    const some = joinable(parts, from)
    const bytes = some.length > 1 ? joined(some) : undefined
    let at = 0
    for (const { stored, packing: kind, length } of some)
      yield bytes === undefined ? unpacked(stored, kind, length) : bytes.subarray(at, (at += length))
    // Each of them is whole, so it is their being together that this Node cannot read.
    if (bytes === undefined && some.length > 1) areFramesJoined = false
    from += some.length
  }
}

/** Those from one on that can be unpacked together; at least that one. */
function joinable(parts: readonly PackedPart[], from: number): readonly PackedPart[] {
  if (!areFramesJoined) return parts.slice(from, from + 1)
  let to = from
  for (let length = 0; to < parts.length && parts[to].packing === packing.zstd; to++) {
    length += parts[to].length
    if (length > CHUNK_BYTES) break
  }
  return parts.slice(from, Math.max(to, from + 1))
}

/** `undefined` where they have to be unpacked one by one, which also tells what is wrong with which. */
function joined(parts: readonly PackedPart[]): Buffer | undefined {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  try {
    return unpacked(Buffer.concat(parts.map(({ stored }) => stored)), packing.zstd, length)
  } catch (error) {
    if (error instanceof PackingFault) return undefined
    throw error
  }
}
