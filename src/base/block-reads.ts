import { sizeText } from './numbers/byte-sizes.ts'

/** Counts of the reads of segment blocks by one query. */
export interface BlockReads {
  /** Number of decoded segment parts found in the cache; `hitBytes` is their size in memory. */
  hits: number
  hitBytes: number
  /** Number of blocks read from files; `bytes` is their size in the files. */
  blocks: number
  bytes: number
}

export function noReads(): BlockReads {
  return { hits: 0, hitBytes: 0, blocks: 0, bytes: 0 }
}

export function addReads(to: BlockReads, { hits, hitBytes, blocks, bytes }: BlockReads): void {
  to.hits += hits
  to.hitBytes += hitBytes
  to.blocks += blocks
  to.bytes += bytes
}

/** Writes `12 blocks (107.2 KiB) came from the disk, 0 parts from the cache.`; empty when nothing was read. */
export function blockReadsText({ blocks, bytes, hits }: BlockReads): string {
  if (blocks === 0 && hits === 0) return ''
  return `${blocks} blocks (${sizeText(bytes)}) came from the disk, ${hits} parts from the cache.`
}
