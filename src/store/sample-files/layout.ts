import { arrayOf, isBlock, isCount, maybe, shapeOf, type BlockFileKind, type StoredArray } from '../segments/index.ts'

/*
 * A samples file is a file of blocks as segments are (`../segments/layout.ts`) with a magic and contents of its own;
 * `grammar/formats/samples.md` has every byte of it.
 */

export const SAMPLES_VERSION = 1

/** What of a group is there beside its times: its blocks follow each other in this order. */
export const groupFlag = {
  /** Times are doubles as they are, not differences of differences. */
  plainTimes: 1,
  /** Chunks whose values are decimals. */
  decimals: 2,
  /** Chunks whose values are doubles as they are. */
  doubles: 4,
  staleness: 8,
  startTimes: 16,
  histograms: 32,
} as const

/** How the values of a chunk are written: digits behind the point in the lowest four bits, for decimals. */
export const chunkMode = {
  digits: 15,
  /** Differences of differences instead of differences. */
  isTwice: 16,
  isDecimal: 32,
  /** Staleness markers are NaN and have no number. */
  hasStaleNan: 64,
} as const

/** What a samples file says of itself. Chunks are runs of samples of one series; groups are runs of chunks that are read together. */
export interface SamplesContents {
  readonly samples: number
  readonly series: number
  readonly chunks: number
  readonly groups: number
  /** The names and values of labels. */
  readonly strings: { readonly block: number; readonly count: number }
  /** `u32`: of each series the number of its labels, then for each the places of name and value among the strings. */
  readonly labels: StoredArray
  /** `u32`, by series: how many chunks it has. */
  readonly seriesChunks: StoredArray
  /** `u32`, by chunk: its samples. */
  readonly chunkSamples: StoredArray
  /** `f64`, by chunk: the times of its first and its last sample, Unix milliseconds. */
  readonly chunkFirstMs: StoredArray
  readonly chunkLastMs: StoredArray
  /** `u8`, by chunk. */
  readonly chunkModes: StoredArray
  /** `u32`, by group: how many chunks it has. */
  readonly groupChunks: StoredArray
  /** `u32`, by group: its first block. */
  readonly groupBlocks: StoredArray
  /** `u8`, by group. */
  readonly groupFlags: StoredArray
  /** A block of JSON: what senders told of metrics. */
  readonly descriptions?: number | undefined
  /** A block of JSON, and how many there are in it. */
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
