/** Counts of the reads of segment blocks by one query. */
export interface BlockReads {
  /** The number of parts found in the cache. `hitBytes` is their size in memory. */
  hits: number
  hitBytes: number
  /** The number of blocks read from files. `bytes` is their size in the files. */
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

/** Writes `12 blocks (107 KiB) came from the disk, 0 parts from the cache.`; empty when nothing was read. */
export function blockReadsText({ blocks, bytes, hits }: BlockReads): string {
  if (blocks === 0 && hits === 0) return ''
  const size = bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`
  return `${blocks} blocks (${size}) came from the disk, ${hits} parts from the cache.`
}
