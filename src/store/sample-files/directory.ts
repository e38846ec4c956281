import { Labels } from '../../data/index.ts'
import { decodeTexts, type BlockFile, type OpenContents, type StoredArray } from '../segments/index.ts'
import type { SamplesContents } from './layout.ts'

/** The directory of a file: its series and chunks. In memory while the file is open. */
export interface SampleDirectory {
  readonly labels: readonly Labels[]
  /**
   * For each series, the index of its first chunk; the last element is the number of chunks. `groupFirstChunks` has the
   * same by group.
   */
  readonly firstChunks: Uint32Array
  readonly groupFirstChunks: Uint32Array
  readonly groupBlocks: Uint32Array
  readonly groupFlags: Uint8Array
  readonly groupSamples: Uint32Array
  /**
   * For each chunk, the index of its group. `offsets` has its first sample in the group, `samples` its number of
   * samples.
   */
  readonly groupOf: Uint32Array
  readonly offsets: Uint32Array
  readonly samples: Uint32Array
  readonly firstMs: Float64Array
  readonly lastMs: Float64Array
  readonly modes: Uint8Array
}

/** Reads and checks the directory of a file. Throws SluiceError `durable/damaged`. */
export function readDirectory(file: BlockFile<SamplesContents>, open: OpenContents<SamplesContents>): SampleDirectory {
  const { contents } = open
  const words = (stored: StoredArray): Uint32Array => file.typed(open, stored, Uint32Array)
  const seriesChunks = words(contents.seriesChunks)
  const groupChunks = words(contents.groupChunks)
  const samples = words(contents.chunkSamples)
  const firstChunks = sums(seriesChunks)
  const groupFirstChunks = sums(groupChunks)
  const chunks = samples.length
  const directory: SampleDirectory = {
    labels: readLabels(file, open),
    firstChunks,
    groupFirstChunks,
    groupBlocks: words(contents.groupBlocks),
    groupFlags: file.typed(open, contents.groupFlags, Uint8Array),
    groupSamples: new Uint32Array(groupChunks.length),
    groupOf: new Uint32Array(chunks),
    offsets: new Uint32Array(chunks),
    samples,
    firstMs: file.typed(open, contents.chunkFirstMs, Float64Array),
    lastMs: file.typed(open, contents.chunkLastMs, Float64Array),
    modes: file.typed(open, contents.chunkModes, Uint8Array),
  }
  const { labels, groupBlocks, groupFlags, firstMs, lastMs, modes } = directory
  const isWhole =
    labels.length === contents.series &&
    seriesChunks.length === contents.series &&
    groupChunks.length === contents.groups &&
    groupBlocks.length === contents.groups &&
    groupFlags.length === contents.groups &&
    chunks === contents.chunks &&
    firstMs.length === chunks &&
    lastMs.length === chunks &&
    modes.length === chunks &&
    firstChunks[seriesChunks.length] === chunks &&
    groupFirstChunks[groupChunks.length] === chunks
  if (!isWhole) throw file.damaged('the lengths of its directory do not add up')
  for (let group = 0; group < contents.groups; group++) {
    let at = 0
    for (let chunk = groupFirstChunks[group]; chunk < groupFirstChunks[group + 1]; chunk++) {
      directory.groupOf[chunk] = group
      directory.offsets[chunk] = at
      at += samples[chunk]
    }
    directory.groupSamples[group] = at
  }
  return directory
}

function readLabels(file: BlockFile<SamplesContents>, open: OpenContents<SamplesContents>): readonly Labels[] {
  const { strings, labels: stored } = open.contents
  const texts = decodeTexts(file.plainBlock(open, strings.block), strings.count)
  if (texts === undefined) throw file.damaged(`block ${strings.block} is not ${strings.count} texts`)
  const { bytes, offsets } = texts
  const known = Array.from({ length: strings.count }, (_, i) =>
    Buffer.from(bytes.subarray(offsets[i], offsets[i + 1])).toString(),
  )
  const codes = file.typed(open, stored, Uint32Array)
  const all: Labels[] = []
  for (let at = 0; at < codes.length;) {
    const count = codes[at++]
    if (count > (codes.length - at) / 2) throw file.damaged(`block ${stored.block} is not sets of labels`)
    const names: string[] = []
    const values: string[] = []
    for (let i = 0; i < count; i++, at += 2) {
      const name = known[codes[at]] as string | undefined
      const value = known[codes[at + 1]] as string | undefined
      if (name === undefined || value === undefined)
        throw file.damaged(`block ${stored.block} names text ${Math.max(codes[at], codes[at + 1])} of ${known.length}`)
      names.push(name)
      values.push(value)
    }
    all.push(Labels.fromSorted(names, values))
  }
  return all
}

function sums(counts: Uint32Array): Uint32Array {
  const all = new Uint32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) all[i + 1] = all[i] + counts[i]
  return all
}
