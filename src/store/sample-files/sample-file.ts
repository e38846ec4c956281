import { Labels, histogramOfNumbers, type Histogram } from '../../data/index.ts'
import {
  joinedSlices,
  lastBefore,
  type MetricDescription,
  type NewSample,
  type SamplesPart,
  type SamplesSlice,
  type SeriesExemplars,
} from '../samples/index.ts'
import {
  BlockFile,
  CachedPart,
  doubleOfHex,
  type BlockCache,
  type OpenContents,
  type BlockSource,
  type StoredArray,
} from '../segments/index.ts'
import { readDirectory, type SampleDirectory } from './directory.ts'
import { chunkMode, groupFlag, samplesKind, type SamplesContents } from './layout.ts'
import { fromHalves, readDecimals, unfolded } from './value-coding.ts'
import type { WrittenExemplar } from './write-samples.ts'

/** The values of a group, which are only read if more than times are needed. */
interface GroupValues {
  readonly values: Float64Array
  readonly histograms: readonly (Histogram | undefined)[] | undefined
}

interface Group {
  readonly times: CachedPart<Float64Array>
  readonly staleness: CachedPart<Uint8Array> | undefined
  readonly startTimes: CachedPart<Float64Array> | undefined
  readonly values: CachedPart<GroupValues>
}

/**
 * Returns the index of the first time after `timeMs` in `[from, to)`; `to` if there is none. Times must be ascending.
 */
function firstAfter(times: Float64Array, timeMs: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle] <= timeMs) low = middle + 1
    else high = middle
  }
  return low
}

/** An immutable file of samples. Its directory is in memory; all else is read through a cache. */
export class SampleFile {
  readonly #file: BlockFile<SamplesContents>
  readonly #cache: BlockCache
  readonly #open: OpenContents<SamplesContents>
  readonly #directory: SampleDirectory
  readonly #groups: (Group | undefined)[]

  /** Reads footer and directory. Throws SluiceError `durable/damaged` or `durable/newer-version`. */
  constructor(source: BlockSource, cache: BlockCache) {
    this.#file = new BlockFile<SamplesContents>(source, cache.counts, samplesKind)
    this.#cache = cache
    this.#open = this.#file.open()
    this.#directory = readDirectory(this.#file, this.#open)
    this.#groups = Array.from({ length: this.#open.contents.groups })
  }

  get name(): string {
    return this.#file.source.name
  }

  /** The label sets of the series, in order. Series that only have exemplars come last. */
  get labels(): readonly Labels[] {
    return this.#directory.labels
  }

  get sampleCount(): number {
    return this.#open.contents.samples
  }

  /** Memory of the directory without strings, bytes. */
  get bytes(): number {
    const { labels, samples, groupFlags } = this.#directory
    return labels.length * 4 + samples.length * 29 + groupFlags.length * 17
  }

  /** Reads and checks every block. Throws SluiceError `durable/damaged`. */
  check(): void {
    this.#file.check()
    for (let group = 0; group < this.#open.contents.groups; group++) {
      const { times, staleness, startTimes, values } = this.#group(group)
      for (const part of [times, staleness, startTimes, values]) {
        part?.get()
        part?.drop()
      }
    }
    this.descriptions()
    this.exemplars()
  }

  /** Drops the cached groups of the file. */
  drop(): void {
    for (const group of this.#groups)
      for (const part of [group?.times, group?.staleness, group?.startTimes, group?.values]) part?.drop()
  }

  /** Returns the samples of the series with this index; `undefined` if it has none. */
  part(series: number): SamplesPart | undefined {
    const from = this.#directory.firstChunks[series]
    const to = this.#directory.firstChunks[series + 1]
    return from === to ? undefined : new StoredPart(this, from, to)
  }

  descriptions(): readonly MetricDescription[] {
    const { descriptions } = this.#open.contents
    return descriptions === undefined ? [] : (this.#json(descriptions) as readonly MetricDescription[])
  }

  get exemplarCount(): number {
    return this.#open.contents.exemplars?.count ?? 0
  }

  exemplars(): readonly SeriesExemplars[] {
    const { exemplars } = this.#open.contents
    if (exemplars === undefined) return []
    return (this.#json(exemplars.block) as readonly WrittenExemplar[]).map(([series, timeMs, value, names, values]) => {
      const labels = this.labels.at(series)
      if (labels === undefined) throw this.#damaged(`block ${exemplars.block} names series ${series}`)
      return { labels, exemplars: [{ timeMs, value: doubleOfHex(value), labels: Labels.fromSorted(names, values) }] }
    })
  }

  #json(block: number): unknown {
    try {
      return JSON.parse(this.#file.plainBlock(this.#open, block).toString())
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw this.#damaged(`block ${block} is not JSON`)
    }
  }

  #damaged(what: string): Error {
    return this.#file.damaged(what)
  }

  #group(number: number): Group {
    return (this.#groups[number] ??= this.#newGroup(number))
  }

  #newGroup(number: number): Group {
    const { groupBlocks, groupFlags, groupSamples, groupFirstChunks } = this.#directory
    const flags = groupFlags[number]
    const samples = groupSamples[number]
    const has = (flag: number): boolean => (flags & flag) !== 0
    let block = groupBlocks[number] + 1
    const next = (blocks: number): number => (block += blocks) - blocks
    const array = (type: StoredArray['type'], at: number, length: number): StoredArray => ({ type, length, block: at })
    const times = new CachedPart(this.#cache, samples * Float64Array.BYTES_PER_ELEMENT, () => this.#readTimes(number))
    const decimalsAt = has(groupFlag.decimals) ? next(2) : -1
    const doublesAt = has(groupFlag.doubles) ? next(2) : -1
    const stalenessAt = has(groupFlag.staleness) ? next(1) : -1
    const startTimesAt = has(groupFlag.startTimes) ? next(1) : -1
    const histogramsAt = has(groupFlag.histograms) ? next(3) : -1
    const open = this.#open
    if (block > open.blocks.count) throw this.#damaged(`group ${number} has block ${block - 1} of ${open.blocks.count}`)
    const staleness =
      stalenessAt === -1
        ? undefined
        : new CachedPart(this.#cache, samples, () =>
            this.#file.typed(open, array('u8', stalenessAt, samples), Uint8Array),
          )
    const startTimes =
      startTimesAt === -1
        ? undefined
        : new CachedPart(this.#cache, samples * Float64Array.BYTES_PER_ELEMENT, () =>
            this.#file.typed(open, array('f64', startTimesAt, samples), Float64Array),
          )
    // Histogram objects take about four times the memory of their numbers.
    const histogramsBytes = histogramsAt === -1 ? 0 : samples * 8 + open.blocks.plainBytes[histogramsAt + 1] * 8
    const values = new CachedPart(
      this.#cache,
      samples * Float64Array.BYTES_PER_ELEMENT + histogramsBytes,
      (): GroupValues => {
        const from = groupFirstChunks[number]
        const to = groupFirstChunks[number + 1]
        return {
          values: this.#readValues(from, to, samples, decimalsAt, doublesAt, staleness?.get()),
          histograms: histogramsAt === -1 ? undefined : this.#readHistograms(from, to, samples, histogramsAt),
        }
      },
    )
    return { times, staleness, startTimes, values }
  }

  #readTimes(number: number): Float64Array {
    const { groupBlocks, groupFlags, groupSamples, groupFirstChunks, samples, firstMs } = this.#directory
    const stored: StoredArray = { type: 'f64', length: groupSamples[number], block: groupBlocks[number] }
    const times = this.#file.typed(this.#open, stored, Float64Array)
    if ((groupFlags[number] & groupFlag.plainTimes) !== 0) return times
    let at = 0
    let step = 0
    for (let chunk = groupFirstChunks[number]; chunk < groupFirstChunks[number + 1]; chunk++) {
      let timeMs = firstMs[chunk]
      const end = at + samples[chunk]
      if (at < end) times[at++] = timeMs
      for (; at < end; at++) {
        step += unfolded(times[at])
        timeMs += step
        times[at] = timeMs
      }
    }
    return times
  }

  #readValues(
    fromChunk: number,
    toChunk: number,
    samples: number,
    decimalsAt: number,
    doublesAt: number,
    staleness: Uint8Array | undefined,
  ): Float64Array {
    const { modes, samples: counts } = this.#directory
    let decimalChunks = 0
    let decimalSamples = 0
    for (let chunk = fromChunk; chunk < toChunk; chunk++) {
      if ((modes[chunk] & chunkMode.isDecimal) === 0) continue
      decimalChunks++
      decimalSamples += counts[chunk]
    }
    const floats = (block: number, length: number): Float64Array =>
      block < 0 ? new Float64Array(length) : this.#file.typed(this.#open, { type: 'f64', length, block }, Float64Array)
    const firsts = floats(decimalsAt, decimalChunks)
    const numbers = floats(decimalsAt < 0 ? -1 : decimalsAt + 1, decimalSamples)
    const high = this.#words(doublesAt, samples - decimalSamples)
    const low = this.#words(doublesAt < 0 ? -1 : doublesAt + 1, samples - decimalSamples)
    const values = new Float64Array(samples)
    let at = 0
    let decimal = 0
    let decimalAt = 0
    let doubleAt = 0
    for (let chunk = fromChunk; chunk < toChunk; chunk++) {
      const count = counts[chunk]
      const target = values.subarray(at, at + count)
      if ((modes[chunk] & chunkMode.isDecimal) === 0) {
        target.set(fromHalves(high.subarray(doubleAt, doubleAt + count), low.subarray(doubleAt, doubleAt + count)))
        doubleAt += count
      } else {
        const own = numbers.subarray(decimalAt, decimalAt + count)
        const stale = staleness?.subarray(at, at + count)
        readDecimals({ mode: modes[chunk], first: firsts[decimal], numbers: own }, stale, target)
        decimal++
        decimalAt += count
      }
      at += count
    }
    return values
  }

  #words(block: number, length: number): Uint32Array {
    return block < 0
      ? new Uint32Array(length)
      : this.#file.typed(this.#open, { type: 'u32', length, block }, Uint32Array)
  }

  #readHistograms(
    fromChunk: number,
    toChunk: number,
    samples: number,
    block: number,
  ): readonly (Histogram | undefined)[] {
    const sizes = this.#words(block, samples)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    const high = this.#words(block + 1, total)
    const low = this.#words(block + 2, total)
    const histograms: (Histogram | undefined)[] = Array.from({ length: samples })
    let at = 0
    let numberAt = 0
    for (let chunk = fromChunk; chunk < toChunk; chunk++) {
      let before: Uint32Array | undefined
      for (const end = at + this.#directory.samples[chunk]; at < end; at++) {
        const size = sizes[at]
        if (size === 0) continue
        const numbers = new Float64Array(size)
        const bits = new Uint32Array(numbers.buffer)
        const base = before?.length === bits.length ? before : undefined
        for (let k = 0; k < size; k++, numberAt++) {
          bits[2 * k] = low[numberAt] ^ (base === undefined ? 0 : base[2 * k])
          bits[2 * k + 1] = high[numberAt] ^ (base === undefined ? 0 : base[2 * k + 1])
        }
        before = bits
        const histogram = histogramOfNumbers(numbers)
        if (histogram === undefined) throw this.#damaged(`block ${block} has numbers that are no histogram`)
        histograms[at] = histogram
      }
    }
    return histograms
  }

  /** Returns the number of samples of consecutive chunks of one series, with their first and last time. */
  timesOf(
    fromChunk: number,
    toChunk: number,
  ): { readonly count: number; readonly firstMs: number; readonly lastMs: number } {
    const { samples, firstMs, lastMs } = this.#directory
    let count = 0
    for (let chunk = fromChunk; chunk < toChunk; chunk++) count += samples[chunk]
    return { count, firstMs: firstMs[fromChunk], lastMs: lastMs[toChunk - 1] }
  }

  /**
   * Returns the range `[from, to)` of those chunks in `[fromChunk, toChunk)` that may have samples in
   * `(startMs, endMs]`.
   */
  chunksIn(fromChunk: number, toChunk: number, startMs: number, endMs: number): readonly [from: number, to: number] {
    const { firstMs, lastMs } = this.#directory
    // Fast path, since most series have one chunk.
    if (toChunk - fromChunk === 1 && lastMs[fromChunk] > startMs && firstMs[fromChunk] <= endMs)
      return [fromChunk, toChunk]
    const from = firstAfter(lastMs, startMs, fromChunk, toChunk)
    return [from, Math.max(from, firstAfter(firstMs, endMs, fromChunk, toChunk))]
  }

  /**
   * True if the first or last time of these chunks, a result of `chunksIn`, is in `(startMs, endMs]`. If false, there
   * may still be samples in between.
   */
  hasEndIn(fromChunk: number, toChunk: number, startMs: number, endMs: number): boolean {
    const { firstMs, lastMs } = this.#directory
    return firstMs[fromChunk] > startMs || lastMs[toChunk - 1] <= endMs
  }

  /** Returns the samples of one chunk that are in `(startMs, endMs]`; `undefined` if there are none. */
  slice(chunk: number, startMs: number, endMs: number, isPresenceOnly: boolean): SamplesSlice | undefined {
    const { groupOf, offsets, samples, firstMs, lastMs } = this.#directory
    const group = this.#group(groupOf[chunk])
    const times = group.times.get()
    const first = offsets[chunk]
    const end = first + samples[chunk]
    // If the range covers the whole chunk, no time is compared.
    const from = firstMs[chunk] > startMs ? first : firstAfter(times, startMs, first, end)
    const to = lastMs[chunk] <= endMs ? end : firstAfter(times, endMs, from, end)
    if (from >= to) return undefined
    const timesMs = times.subarray(from, to)
    const staleness = group.staleness?.get().subarray(from, to)
    const marks = staleness?.includes(1) === true ? staleness : undefined
    if (isPresenceOnly)
      return { timesMs, values: timesMs, staleness: marks, histograms: undefined, startTimesMs: undefined }
    const { values, histograms } = group.values.get()
    const own = histograms?.slice(from, to)
    const startTimesMs = group.startTimes?.get().subarray(from, to)
    return {
      timesMs,
      values: values.subarray(from, to),
      staleness: marks,
      histograms: own?.some((histogram) => histogram !== undefined) === true ? own : undefined,
      startTimesMs: startTimesMs?.some((timeMs) => timeMs !== 0) === true ? startTimesMs : undefined,
    }
  }

  chunkSamples(chunk: number): number {
    return this.#directory.samples[chunk]
  }
}

/** The samples of one series in a file. */
class StoredPart implements SamplesPart {
  readonly #file: SampleFile
  readonly #from: number
  readonly #to: number

  constructor(file: SampleFile, from: number, to: number) {
    this.#file = file
    this.#from = from
    this.#to = to
  }

  get count(): number {
    return this.#file.timesOf(this.#from, this.#to).count
  }

  get firstMs(): number {
    return this.#file.timesOf(this.#from, this.#to).firstMs
  }

  get lastMs(): number {
    return this.#file.timesOf(this.#from, this.#to).lastMs
  }

  countIn(startMs: number, endMs: number): number {
    const [from, to] = this.#file.chunksIn(this.#from, this.#to, startMs, endMs)
    return from === to ? 0 : this.#file.timesOf(from, to).count
  }

  slice(startMs: number, endMs: number, isPresenceOnly = false): SamplesSlice | undefined {
    const [from, to] = this.#file.chunksIn(this.#from, this.#to, startMs, endMs)
    if (to - from === 1) return this.#file.slice(from, startMs, endMs, isPresenceOnly)
    const slices: SamplesSlice[] = []
    for (let chunk = from; chunk < to; chunk++) {
      const slice = this.#file.slice(chunk, startMs, endMs, isPresenceOnly)
      if (slice !== undefined) slices.push(slice)
    }
    return slices.length === 0 ? undefined : joinedSlices(slices)
  }

  hasSampleIn(startMs: number, endMs: number): boolean {
    const [from, to] = this.#file.chunksIn(this.#from, this.#to, startMs, endMs)
    if (from === to) return false
    return this.#file.hasEndIn(from, to, startMs, endMs) || this.slice(startMs, endMs, true) !== undefined
  }

  lastBefore(timeMs: number): NewSample | undefined {
    // Every chunk has at least one sample, so at most one chunk that ends before `timeMs` is read.
    let [, chunk] = this.#file.chunksIn(this.#from, this.#to, -Infinity, timeMs)
    while (--chunk >= this.#from) {
      const slice = this.#file.slice(chunk, -Infinity, timeMs, false)
      if (slice === undefined) continue
      const found = lastBefore(slice, timeMs)
      if (found !== undefined) return found
    }
    return undefined
  }
}
