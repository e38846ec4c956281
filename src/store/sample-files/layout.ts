import { arrayOf, isBlock, isCount, maybe, shapeOf, type BlockFileKind, type StoredArray } from '../segments/index.ts'

/*
 * A samples file is a file of blocks as segments are (`../segments/layout.ts`) with a magic and contents of its own;
 * `grammar/formats/samples.md` has every byte of it.
 */

export const SAMPLES_VERSION = 1

/** Flags for the blocks of a group besides its times; the blocks follow in this order. */
export const groupFlag = {
  /** Times are plain doubles instead of differences of differences. */
  plainTimes: 1,
  /** Has chunks whose values are decimals. */
  decimals: 2,
  /** Has chunks whose values are plain doubles. */
  doubles: 4,
  staleness: 8,
  startTimes: 16,
  histograms: 32,
} as const

/** Bits for the encoding of a chunk's values. The lowest four bits are the number of decimal places. */
export const chunkMode = {
  digits: 15,
  /** Differences of differences instead of differences. */
  isTwice: 16,
  isDecimal: 32,
  /** Staleness markers are NaN and have no encoded number. */
  hasStaleNan: 64,
} as const

/**
 * The footer of a sample file. Chunks are runs of samples of one series; groups are runs of chunks that are read
 * together.
 */
export interface SamplesContents {
  readonly samples: number
  readonly series: number
  readonly chunks: number
  readonly groups: number
  /** The block with the names and values of labels, and their number. */
  readonly strings: { readonly block: number; readonly count: number }
  /** `u32`: the number of labels of each series, then the string indexes of name and value of each label. */
  readonly labels: StoredArray
  /** `u32`: the number of chunks of each series. */
  readonly seriesChunks: StoredArray
  /** `u32`: the number of samples of each chunk. */
  readonly chunkSamples: StoredArray
  /**
   * `f64`: the time of the first sample of each chunk, in milliseconds since 1970; `chunkLastMs` has that of the last.
   */
  readonly chunkFirstMs: StoredArray
  readonly chunkLastMs: StoredArray
  /** `u8`: the mode of each chunk, bits of `chunkMode`. */
  readonly chunkModes: StoredArray
  /** `u32`: the number of chunks of each group. */
  readonly groupChunks: StoredArray
  /** `u32`: the first block of each group. */
  readonly groupBlocks: StoredArray
  /** `u8`: the flags of each group, bits of `groupFlag`. */
  readonly groupFlags: StoredArray
  /** A block of JSON with the descriptions of metrics that senders gave. */
  readonly descriptions?: number | undefined
  /** A block of JSON with exemplars, and their number. */
  readonly exemplars?: { readonly block: number; readonly count: number } | undefined
}

const isCounts = arrayOf('u32')
const isTimes = arrayOf('f64')
const isBytes = arrayOf('u8')
const isCountedBlock = shapeOf<SamplesContents['strings']>({ block: isBlock, count: isCount })

export const samplesKind: BlockFileKind = {
  magic: Buffer.from('SLUICESM'),
  version: SAMPLES_VERSION,
  what: 'samples',
  isContents: shapeOf<SamplesContents>(
    {
      samples: isCount,
      series: isCount,
      chunks: isCount,
      groups: isCount,
      strings: isCountedBlock,
      labels: isCounts,
      seriesChunks: isCounts,
      chunkSamples: isCounts,
      chunkFirstMs: isTimes,
      chunkLastMs: isTimes,
      chunkModes: isBytes,
      groupChunks: isCounts,
      groupBlocks: isCounts,
      groupFlags: isBytes,
      descriptions: maybe(isBlock),
      exemplars: maybe(isCountedBlock),
    },
    ({ series, chunks, groups, ...of }) =>
      of.seriesChunks.length === series &&
      [of.chunkSamples, of.chunkFirstMs, of.chunkLastMs, of.chunkModes].every(({ length }) => length === chunks) &&
      [of.groupChunks, of.groupBlocks, of.groupFlags].every(({ length }) => length === groups),
  ),
}
