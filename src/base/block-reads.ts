/** What was used of segments in files. */
export interface BlockReads {
  /** Parts that were in memory, and their bytes there. */
  hits: number
  hitBytes: number
  /** Blocks that were read, and their bytes in the file. */
  blocks: number
  bytes: number
}

export function noReads(): BlockReads {
  return { hits: 0, hitBytes: 0, blocks: 0, bytes: 0 }
}
