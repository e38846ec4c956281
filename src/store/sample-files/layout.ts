import { arrayOf, isBlock, isCount, maybe, shapeOf, type BlockFileKind, type StoredArray } from '../segments/index.ts'

/*
 * A sample file is a block file, like a segment (`../segments/layout.ts`), with its own magic bytes and contents.
 * `grammar/formats/samples.md` describes every byte.
 */

export const SAMPLES_VERSION = 1

/**
 * Flags of a group that tell which blocks follow its block of times, in this order; `plainTimes` concerns the times
 * themselves.
 */
export const groupFlag = {
  /** Times are plain doubles; without the flag, they are differences of differences. */
  plainTimes: 1,
  /** Some chunks have values encoded as decimals. */
  decimals: 2,
  /** Some chunks have values encoded as plain doubles. */
  doubles: 4,
  staleness: 8,
  startTimes: 16,
  histograms: 32,
} as const

/** Bits that describe the encoding of a chunk's values. The lowest four bits are the number of decimal places. */
export const chunkMode = {
  digits: 15,
  /** Numbers are differences of differences; without the bit, they are differences. */
  isTwice: 16,
  isDecimal: 32,
  /** The values of staleness markers are NaN and are left out of the encoded numbers. */
  hasStaleNan: 64,
} as const

/**
 * The footer of a sample file. A chunk is a run of samples of one series. A group is a run of chunks that are read
 * together.
 */
export interface SamplesContents {
  readonly samples: number
  readonly series: number
  readonly chunks: number
  readonly groups: number
  /** The block with all label names and values, and the number of these strings. */
  readonly strings: { readonly block: number; readonly count: number }
  /** `u32`: the number of labels of each series; then, for each label, the string indexes of its name and value. */
  readonly labels: StoredArray
  /** `u32`: the number of chunks of each series. */
  readonly seriesChunks: StoredArray
  /** `u32`: the number of samples of each chunk. */
  readonly chunkSamples: StoredArray
  /**
   * `f64`: the time of the first sample of each chunk, in milliseconds since 1970; `chunkLastMs`: that of the last
   * sample.
   */
  readonly chunkFirstMs: StoredArray
  readonly chunkLastMs: StoredArray
  /** `u8`: the encoding of each chunk, as bits of `chunkMode`. */
  readonly chunkModes: StoredArray
  /** `u32`: the number of chunks of each group. */
  readonly groupChunks: StoredArray
  /** `u32`: the index of the first block of each group. */
  readonly groupBlocks: StoredArray
  /** `u8`: the flags of each group, as bits of `groupFlag`. */
  readonly groupFlags: StoredArray
  /** A block with the metric descriptions that senders gave, as JSON. */
  readonly descriptions?: number | undefined
  /** A block with exemplars as JSON, and the number of exemplars. */
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
