import { Bytes, present, type StepwiseTask } from '../../base/index.ts'
import { histogramNumbers, type Labels } from '../../data/index.ts'
import type { Exemplar, MetricDescription, SamplesSlice, SeriesExemplars } from '../samples/index.ts'
import { BlockWriter, encodeTexts, hexOfDouble } from '../segments/index.ts'
import { groupFlag, samplesKind, type SamplesContents } from './layout.ts'
import { decimalChunk, folded, toHalves } from './value-coding.ts'

/** Maximum number of samples in a chunk. */
const CHUNK_SAMPLES = 2048
/** A group is closed once it has this many samples. Reading one series of a group decodes the whole group. */
const GROUP_SAMPLES = 8192
/** Maximum number of chunks in a group. Short series share a group, but a lookup scans all chunks of its group. */
const GROUP_CHUNKS = 1024

/** The samples of one series to write to a file. */
export interface SeriesToWrite {
  readonly labels: Labels
  /** The samples; `undefined` if the series only has exemplars. */
  readonly samples: SamplesSlice | undefined
}

export interface SamplesToWrite {
  /** Distinct series in the order of their label sets. Iterated only once. */
  readonly series: Iterable<SeriesToWrite>
  readonly descriptions: readonly MetricDescription[]
  readonly exemplars: readonly SeriesExemplars[]
}

/** Facts about a sample file that are known without opening it. */
export interface SamplesSummary {
  readonly bytes: number
  /** CRC-32 of the whole file. */
  readonly crc: number
  readonly samples: number
  readonly series: number
  /**
   * The time of the first sample in milliseconds since 1970; `lastMs` is that of the last. Both are 0 if there are no
   * samples.
   */
  readonly firstMs: number
  readonly lastMs: number
}

/** An exemplar as JSON: series index, time, value in hexadecimal digits, names and values of its labels. */
export type WrittenExemplar = readonly [
  series: number,
  timeMs: number,
  value: string,
  names: readonly string[],
  values: readonly string[],
]

interface Chunk {
  readonly samples: SamplesSlice
  readonly from: number
  readonly to: number
}

class Strings {
  readonly #codes = new Map<string, number>()

  codeOf(text: string): number {
    let code = this.#codes.get(text)
    if (code === undefined) {
      code = this.#codes.size
      this.#codes.set(text, code)
    }
    return code
  }

  get count(): number {
    return this.#codes.size
  }

  encoded(): Uint8Array {
    const texts = Array.from(this.#codes.keys(), (text) => Buffer.from(text))
    const offsets = new Uint32Array(texts.length + 1)
    for (let i = 0; i < texts.length; i++) offsets[i + 1] = offsets[i] + texts[i].length
    return encodeTexts(Bytes.from(Buffer.concat(texts)), offsets, 0, texts.length)
  }
}

/** Concatenates one column of all chunks in a group. */
function column(
  chunks: readonly Chunk[],
  samples: number,
  of: (chunk: Chunk) => Float64Array | undefined,
): Float64Array {
  const all = new Float64Array(samples)
  let at = 0
  for (const chunk of chunks) {
    const values = of(chunk)
    if (values !== undefined) all.set(values.subarray(chunk.from, chunk.to), at)
    at += chunk.to - chunk.from
  }
  return all
}

/** Below this absolute value, times have folded differences of differences that are exact as doubles. */
const MOST_MS = 2 ** 50

/**
 * Writes folded differences of differences of times to `steps`, 0 for the first sample of a chunk. Returns false if
 * some time is not an integer below `MOST_MS`.
 */
function timeSteps(chunks: readonly Chunk[], steps: Float64Array): boolean {
  let at = 0
  let step = 0
  for (const { samples: slice, from, to } of chunks) {
    const { timesMs } = slice
    let before = timesMs[from]
    if (!isWholeTime(before)) return false
    steps[at++] = 0
    for (let i = from + 1; i < to; i++, at++) {
      const timeMs = timesMs[i]
      if (!isWholeTime(timeMs)) return false
      const difference = timeMs - before
      steps[at] = folded(difference - step)
      step = difference
      before = timeMs
    }
  }
  return true
}

function isWholeTime(timeMs: number): boolean {
  return Math.floor(timeMs) === timeMs && timeMs < MOST_MS && timeMs > -MOST_MS
}

class GroupWriter {
  readonly #writer: BlockWriter
  readonly modes: number[] = []
  readonly groupChunks: number[] = []
  readonly groupBlocks: number[] = []
  readonly groupFlags: number[] = []
  /** Buffer for the numbers of decimal chunks. */
  readonly #numbers = new Float64Array(GROUP_SAMPLES + CHUNK_SAMPLES)
  readonly #steps = new Float64Array(GROUP_SAMPLES + CHUNK_SAMPLES)
  #chunks: Chunk[] = []
  #samples = 0

  constructor(writer: BlockWriter) {
    this.#writer = writer
  }

  add(chunk: Chunk): void {
    this.#chunks.push(chunk)
    this.#samples += chunk.to - chunk.from
    if (this.#samples >= GROUP_SAMPLES || this.#chunks.length >= GROUP_CHUNKS) this.flush()
  }

  flush(): void {
    if (this.#chunks.length === 0) return
    this.groupChunks.push(this.#chunks.length)
    this.groupBlocks.push(this.#writer.blocks.length)
    const flags = this.#times() | this.#values() | this.#staleness() | this.#startTimes() | this.#histograms()
    this.groupFlags.push(flags)
    this.#chunks = []
    this.#samples = 0
  }

  #times(): number {
    const steps = this.#steps.subarray(0, this.#samples)
    const hasSteps = timeSteps(this.#chunks, steps)
    this.#writer.array(hasSteps ? steps : column(this.#chunks, this.#samples, ({ samples }) => samples.timesMs))
    return hasSteps ? 0 : groupFlag.plainTimes
  }

  #values(): number {
    const firsts: number[] = []
    const numbers = this.#numbers
    let numberCount = 0
    const highs: Uint32Array[] = []
    const lows: Uint32Array[] = []
    for (const { samples, from, to } of this.#chunks) {
      const values = samples.values.subarray(from, to)
      const decimals = decimalChunk(values, samples.staleness?.subarray(from, to))
      this.modes.push(decimals?.mode ?? 0)
      if (decimals === undefined) {
        const { high, low } = toHalves(values)
        highs.push(high)
        lows.push(low)
      } else {
        firsts.push(decimals.first)
        numbers.set(decimals.numbers, numberCount)
        numberCount += to - from
      }
    }
    if (firsts.length > 0) {
      this.#writer.array(Float64Array.from(firsts))
      this.#writer.array(numbers.subarray(0, numberCount))
    }
    if (highs.length > 0) {
      this.#writer.array(joinedWords(highs))
      this.#writer.array(joinedWords(lows))
    }
    return (firsts.length > 0 ? groupFlag.decimals : 0) | (highs.length > 0 ? groupFlag.doubles : 0)
  }

  #staleness(): number {
    if (this.#chunks.every(({ samples }) => samples.staleness === undefined)) return 0
    const all = new Uint8Array(this.#samples)
    let at = 0
    for (const { samples, from, to } of this.#chunks) {
      if (samples.staleness !== undefined) all.set(samples.staleness.subarray(from, to), at)
      at += to - from
    }
    if (!all.includes(1)) return 0
    this.#writer.array(all)
    return groupFlag.staleness
  }

  #startTimes(): number {
    if (this.#chunks.every(({ samples }) => samples.startTimesMs === undefined)) return 0
    const all = column(this.#chunks, this.#samples, ({ samples }) => samples.startTimesMs)
    if (all.every((timeMs) => timeMs === 0)) return 0
    this.#writer.array(all)
    return groupFlag.startTimes
  }

  /**
   * Writes the numbers of each histogram. If the previous histogram of the chunk has as many numbers, they are XORed
   * with its numbers.
   */
  #histograms(): number {
    if (this.#chunks.every(({ samples }) => samples.histograms === undefined)) return 0
    const sizes = new Uint32Array(this.#samples)
    const highs: Uint32Array[] = []
    const lows: Uint32Array[] = []
    let at = 0
    for (const { samples, from, to } of this.#chunks) {
      let before: Uint32Array | undefined
      for (let i = from; i < to; i++, at++) {
        const histogram = samples.histograms?.[i]
        if (histogram === undefined) continue
        const bits = new Uint32Array(Float64Array.from(histogramNumbers(histogram)).buffer)
        const size = bits.length / 2
        sizes[at] = size
        const high = new Uint32Array(size)
        const low = new Uint32Array(size)
        const base = before?.length === bits.length ? before : undefined
        for (let k = 0; k < size; k++) {
          low[k] = bits[2 * k] ^ (base === undefined ? 0 : base[2 * k])
          high[k] = bits[2 * k + 1] ^ (base === undefined ? 0 : base[2 * k + 1])
        }
        highs.push(high)
        lows.push(low)
        before = bits
      }
    }
    if (highs.length === 0) return 0
    this.#writer.array(sizes)
    this.#writer.array(joinedWords(highs))
    this.#writer.array(joinedWords(lows))
    return groupFlag.histograms
  }
}

function joinedWords(pieces: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(pieces.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function written(series: number, { timeMs, value, labels }: Exemplar): WrittenExemplar {
  return [series, timeMs, hexOfDouble(value), labels.names, labels.values]
}

/** Writes a sample file by passing its bytes to `write`; yields after about 1,000 samples. */
export function* writeSamples(
  { series, descriptions, exemplars }: SamplesToWrite,
  write: (bytes: Uint8Array) => void,
): StepwiseTask<SamplesSummary> {
  const writer = new BlockWriter(write, samplesKind.magic, samplesKind.version)
  const strings = new Strings()
  const labelCodes: number[] = []
  const seriesChunks: number[] = []
  const chunkSamples: number[] = []
  const chunkFirstMs: number[] = []
  const chunkLastMs: number[] = []
  const groups = new GroupWriter(writer)
  const numberOf = new Map<string, number>()
  let samples = 0
  let firstMs = Infinity
  let lastMs = -Infinity
  const addSeries = (labels: Labels): number => {
    const index = seriesChunks.length
    numberOf.set(labels.key, index)
    labelCodes.push(labels.size)
    for (const [i, name] of labels.names.entries())
      labelCodes.push(strings.codeOf(name), strings.codeOf(present(labels.values[i])))
    seriesChunks.push(0)
    return index
  }
  let sinceTurn = 0
  for (const { labels, samples: slice } of series) {
    const index = addSeries(labels)
    const count = slice?.timesMs.length ?? 0
    for (let from = 0; from < count; from += CHUNK_SAMPLES) {
      if (slice === undefined) break
      const to = Math.min(count, from + CHUNK_SAMPLES)
      seriesChunks[index]++
      chunkSamples.push(to - from)
      chunkFirstMs.push(slice.timesMs[from])
      chunkLastMs.push(slice.timesMs[to - 1])
      groups.add({ samples: slice, from, to })
      if (to < count) yield
    }
    if (slice !== undefined && count > 0) {
      samples += count
      firstMs = Math.min(firstMs, slice.timesMs[0])
      lastMs = Math.max(lastMs, slice.timesMs[count - 1])
    }
    sinceTurn += (count % CHUNK_SAMPLES) + 10
    if (sinceTurn < 1000) continue
    sinceTurn = 0
    yield
  }
  groups.flush()
  yield
  const numbered = exemplars.flatMap(({ labels, exemplars: own }) => {
    const index = numberOf.get(labels.key) ?? addSeries(labels)
    return own.map((exemplar) => written(index, exemplar))
  })
  const contents: SamplesContents = {
    samples,
    series: seriesChunks.length,
    chunks: chunkSamples.length,
    groups: groups.groupChunks.length,
    strings: { block: writer.block(strings.encoded()), count: strings.count },
    labels: writer.array(Uint32Array.from(labelCodes)),
    seriesChunks: writer.array(Uint32Array.from(seriesChunks)),
    chunkSamples: writer.array(Uint32Array.from(chunkSamples)),
    chunkFirstMs: writer.array(Float64Array.from(chunkFirstMs)),
    chunkLastMs: writer.array(Float64Array.from(chunkLastMs)),
    chunkModes: writer.array(Uint8Array.from(groups.modes)),
    groupChunks: writer.array(Uint32Array.from(groups.groupChunks)),
    groupBlocks: writer.array(Uint32Array.from(groups.groupBlocks)),
    groupFlags: writer.array(Uint8Array.from(groups.groupFlags)),
    descriptions: descriptions.length === 0 ? undefined : writer.block(json(descriptions)),
    exemplars: numbered.length === 0 ? undefined : { block: writer.block(json(numbered)), count: numbered.length },
  }
  writer.finish(contents)
  const times = samples === 0 ? { firstMs: 0, lastMs: 0 } : { firstMs, lastMs }
  return { bytes: writer.bytes, crc: writer.checksum, samples, series: contents.series, ...times }
}
