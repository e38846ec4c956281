import { SluiceError, sharedMemory } from '../../base/index.ts'
import { isResetBetween, histogramBytes, withHint, type Histogram, type Labels } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SamplesPart, SamplesSlice } from './samples-part.ts'
import { mergedSlices, type TakeFloats } from './slices.ts'
import type { SeriesSamples, SeriesSpan } from './source.ts'
import { isSystemFailure } from './system-failure.ts'

const FIRST_CAPACITY = 16
/**
 * Maximum first capacity of columns after a freeze, samples. Up to this limit, it is their size before the freeze,
 * because publishing grown columns is expensive.
 */
const AGAIN_CAPACITY = 128

/**
 * Returns a new histogram with its reset hint. Hints `gauge` and `reset` stay. Otherwise the hint is `not-reset` if the
 * histogram continues the previous sample, else `unknown`.
 */
export function hintedHistogram(histogram: Histogram, previous: Histogram | undefined): Histogram {
  if (histogram.hint === 'gauge' || histogram.hint === 'reset') return histogram
  const current = withHint(histogram, 'unknown')
  if (previous === undefined || previous.hint === 'gauge') return current
  return isResetBetween(previous, current) ? current : withHint(histogram, 'not-reset')
}

/** Returns a histogram with `unknown` in place of the hint `not-reset`, because its previous sample was deleted. */
export function withoutResetHint(histogram: Histogram): Histogram {
  return histogram.hint === 'not-reset' ? withHint(histogram, 'unknown') : histogram
}

/**
 * The store of a series, as seen by its columns: it counts changes of all series and has the parts outside the columns.
 */
export interface SeriesOwner {
  changes: number
  /** Returns the parts of the series at a slot, in order of arrival. Parts are opened on demand. */
  partsAt(slot: number): readonly SamplesPart[]
}

/** The current columns of a series in shared memory, without histograms. */
export interface ColumnsState {
  readonly count: number
  readonly timesMs: Float64Array
  readonly values: Float64Array
  readonly staleness: Uint8Array | undefined
  readonly startTimesMs: Float64Array | undefined
}

function floats(length: number): Float64Array {
  return new Float64Array(sharedMemory(length * 8))
}

/**
 * Size of an allocation that several short columns share, bytes. Few allocations, because posting one to another thread
 * takes some microseconds.
 */
const PIECE_BYTES = 64 * 1024
/** Maximum length of a column in a shared allocation, which is freed only with the last of its columns. */
const LONGEST_IN_PIECE = 512
const NO_FLOATS = new Float64Array(0)

interface FloatChunk {
  memory: ArrayBufferLike
  usedBytes: number
}

const chunks = new Map<number, FloatChunk>()

/**
 * Allocates a column. Columns whose length is a power of two share an allocation, up to `LONGEST_IN_PIECE`. Called only
 * in the thread that writes.
 */
function chunkFloats(length: number): Float64Array {
  if (length > LONGEST_IN_PIECE || (length & (length - 1)) !== 0) return floats(length)
  let chunk = chunks.get(length)
  if (chunk === undefined || chunk.usedBytes === chunk.memory.byteLength) {
    // Few series get long columns, so an allocation has room for fewer of them.
    const bytes = Math.max(PIECE_BYTES / Math.max(1, length / FIRST_CAPACITY), 4 * length * 8)
    chunk = { memory: sharedMemory(bytes), usedBytes: 0 }
    chunks.set(length, chunk)
  }
  const column = new Float64Array(chunk.memory, chunk.usedBytes, length)
  chunk.usedBytes += column.byteLength
  return column
}

function marks(length: number): Uint8Array {
  return new Uint8Array(sharedMemory(length))
}

function copied<A extends { set(content: A): void }>(target: A, content: A): A {
  target.set(content)
  return target
}

export const NO_PARTS: readonly SamplesPart[] = []

/**
 * The growing columns of one series, besides its immutable parts. Samples are ordered by time. A second sample at the
 * same time replaces the first, even if the first is in a part.
 */
export class SampleColumns implements SamplesPart {
  readonly labels: Labels
  readonly #owner: SeriesOwner
  readonly #slot: number
  #count = 0
  #timesMs: Float64Array = NO_FLOATS
  #values: Float64Array = NO_FLOATS
  #staleness: Uint8Array | undefined
  #histograms: (Histogram | undefined)[] | undefined
  #startTimesMs: Float64Array | undefined
  #histogramBytes = 0
  /** Number of samples that readers may have seen, from the first on. Only later samples may be moved in place. */
  #seen = 0
  #firstCapacity = FIRST_CAPACITY

  #layout = 0
  /** The time of the last sample in parts; `undefined` if it must be determined again. */
  #knownPartsLastMs: number | undefined

  /** `slot` is the index of the series in its store. Columns without a store have no parts. */
  constructor(labels: Labels, owner: SeriesOwner = { changes: 0, partsAt: () => NO_PARTS }, slot = -1) {
    this.labels = labels
    this.#owner = owner
    this.#slot = slot
  }

  /** A number that changes whenever something other than the count has changed for readers of the columns. */
  get layout(): number {
    return this.#layout
  }

  get state(): ColumnsState {
    this.see()
    return {
      count: this.#count,
      timesMs: this.#timesMs,
      values: this.#values,
      staleness: this.#staleness,
      startTimesMs: this.#startTimesMs,
    }
  }

  /** Marks all samples in the columns as seen by readers. */
  see(): void {
    this.#seen = this.#count
  }

  /** The parts of the series besides its columns, in order of arrival. */
  get parts(): readonly SamplesPart[] {
    return this.#owner.partsAt(this.#slot)
  }

  /** Must be called when parts were added or removed. */
  partsChanged(): void {
    this.#knownPartsLastMs = undefined
  }

  /** The time of the last sample in parts; -Infinity if there is none. */
  get #partsLastMs(): number {
    return (this.#knownPartsLastMs ??= this.parts.reduce((last, { lastMs }) => Math.max(last, lastMs), -Infinity))
  }

  /**
   * Moves the samples in the columns to new, immutable columns; returns `undefined` if there are none. Parts do not
   * change.
   */
  freeze(): SampleColumns | undefined {
    if (this.#count === 0) return undefined
    const frozen = new SampleColumns(this.labels)
    frozen.adopt(this.state)
    frozen.#histograms = this.#histograms
    frozen.#histogramBytes = this.#histogramBytes
    frozen.#layout = this.#layout
    this.#firstCapacity = FIRST_CAPACITY
    while (this.#firstCapacity < Math.min(this.#count, AGAIN_CAPACITY)) this.#firstCapacity *= 2
    this.empty()
    return frozen
  }

  /** Removes the samples in the columns. Parts do not change. */
  empty(): void {
    this.adopt({ count: 0, timesMs: NO_FLOATS, values: NO_FLOATS, staleness: undefined, startTimesMs: undefined })
    this.#histograms = undefined
    this.#histogramBytes = 0
    this.#seen = 0
    this.#layout++
    this.#owner.changes++
  }

  /** Returns the histograms from index `at` on; `undefined` if the columns have no histograms. */
  histogramsFrom(at: number): readonly (Histogram | undefined)[] | undefined {
    return this.#histograms?.slice(at)
  }

  /** Makes this object a reader of columns that another thread writes. */
  adopt(state: ColumnsState): void {
    this.#count = state.count
    this.#timesMs = state.timesMs
    this.#values = state.values
    this.#staleness = state.staleness
    this.#startTimesMs = state.startTimesMs
  }

  /** Sets the number of samples. Only for a reader. */
  adoptCount(count: number): void {
    this.#count = count
  }

  /** Sets the histograms from index `at` on. Only for a reader. */
  adoptHistograms(at: number, histograms: readonly (Histogram | undefined)[]): void {
    const before = this.#histograms?.slice(0, at) ?? []
    // The samples before the first histogram are plain numbers.
    while (before.length < at) before.push(undefined)
    this.#histograms = [...before, ...histograms]
  }

  /** The number of samples in the columns. */
  get count(): number {
    return this.#count
  }

  /** The time of the last sample in columns and parts; -Infinity if there is none. */
  get newestMs(): number {
    return Math.max(this.lastMs, this.#partsLastMs)
  }

  get bytes(): number {
    const perSample = 16 + (this.#staleness === undefined ? 0 : 1) + (this.#startTimesMs === undefined ? 0 : 8)
    return this.#timesMs.length * perSample + this.#histogramBytes
  }

  /** The time of the first sample in the columns. */
  get firstMs(): number {
    return this.#count === 0 ? Infinity : (this.#timesMs[0] ?? Infinity)
  }

  /** The time of the last sample in the columns. */
  get lastMs(): number {
    return this.#count === 0 ? -Infinity : (this.#timesMs[this.#count - 1] ?? -Infinity)
  }

  /** Returns the sample at index `at` of the columns; `undefined` if there are not that many. */
  sampleAt(at: number): NewSample | undefined {
    if (at < 0 || at >= this.#count) return undefined
    const histogram = this.#histograms?.[at]
    return {
      timeMs: this.#timesMs[at] ?? 0,
      value: this.#values[at] ?? 0,
      isStale: this.#staleness?.[at] === 1,
      startTimeMs: this.#startTimesMs?.[at] ?? 0,
      ...(histogram === undefined ? undefined : { histogram }),
    }
  }

  append({ timeMs, value, isStale, startTimeMs, histogram }: NewSample): void {
    this.appendValue(timeMs, value, isStale, startTimeMs, histogram)
  }

  /** Does the same as `append` without allocating an object. */
  appendValue(timeMs: number, value: number, isStale = false, startTimeMs = 0, histogram?: Histogram): void {
    let at = this.#count
    this.#owner.changes++
    if (timeMs <= this.lastMs) {
      at = this.#firstAfter(timeMs)
      if (at > 0 && this.#timesMs[at - 1] === timeMs) {
        at--
        this.#layout++
      } else this.#openGap(at)
    } else {
      this.#reserve()
      this.#count++
    }
    this.#timesMs[at] = timeMs
    this.#values[at] = value
    if (isStale && this.#staleness === undefined) {
      this.#staleness = marks(this.#timesMs.length)
      this.#layout++
    }
    if (this.#staleness !== undefined) this.#staleness[at] = isStale ? 1 : 0
    if (startTimeMs !== 0 && this.#startTimesMs === undefined) {
      this.#startTimesMs = floats(this.#timesMs.length)
      this.#layout++
    }
    if (this.#startTimesMs !== undefined) this.#startTimesMs[at] = startTimeMs
    if (histogram !== undefined) {
      this.#histograms ??= Array.from<undefined>({ length: this.#count }).fill(undefined)
      this.#histogramBytes += histogramBytes(histogram)
    }
    if (this.#histograms !== undefined) this.#histograms[at] = this.#hinted(at, histogram)
  }

  #hinted(at: number, histogram: Histogram | undefined): Histogram | undefined {
    return histogram && hintedHistogram(histogram, this.#histogramBefore(at))
  }

  #histogramBefore(at: number): Histogram | undefined {
    const timeMs = this.#timesMs[at] ?? 0
    const beforeMs = at === 0 ? -Infinity : (this.#timesMs[at - 1] ?? 0)
    if (beforeMs < this.#partsLastMs) {
      const found = this.#partsLastBefore(timeMs)
      if (found !== undefined && found.timeMs > beforeMs) return found.histogram
    }
    return at === 0 ? undefined : this.#histograms?.[at - 1]
  }

  /**
   * Returns the last sample before a time in the parts; `undefined` if there is none, or if a part cannot be read:
   * queries that need this part fail anyway. Rethrows an error for which `isThrown` returns true.
   */
  #partsLastBefore(timeMs: number, isThrown: (error: SluiceError) => boolean = () => false): NewSample | undefined {
    let found: NewSample | undefined
    try {
      for (const part of this.parts) {
        if (part.lastMs < (found?.timeMs ?? -Infinity)) continue
        const last = part.lastBefore(timeMs)
        if (last !== undefined && last.timeMs >= (found?.timeMs ?? -Infinity)) found = last
      }
    } catch (error) {
      if (!(error instanceof SluiceError) || isThrown(error)) throw error
      return undefined
    }
    return found
  }

  /**
   * Returns the last sample before a time in columns and parts. Throws SluiceError `durable/read-failed` if a part
   * cannot be read now: a running sum that misses this sample would stay wrong.
   */
  lastBefore(timeMs: number): NewSample | undefined {
    const own = this.sampleAt(this.#firstFrom(timeMs) - 1)
    if (this.#partsLastMs <= (own?.timeMs ?? -Infinity)) return own
    const found = this.#partsLastBefore(timeMs, isSystemFailure)
    return own !== undefined && found !== undefined && own.timeMs >= found.timeMs ? own : (found ?? own)
  }

  #reserve(): void {
    if (this.#count < this.#timesMs.length) return
    this.#layout++
    if (this.#timesMs.length === 0) {
      this.#timesMs = chunkFloats(this.#firstCapacity)
      this.#values = chunkFloats(this.#firstCapacity)
      return
    }
    const capacity = this.#count * 2
    const grow = (column: Float64Array): Float64Array => copied(chunkFloats(capacity), column)
    this.#timesMs = grow(this.#timesMs)
    this.#values = grow(this.#values)
    if (this.#startTimesMs !== undefined) this.#startTimesMs = grow(this.#startTimesMs)
    if (this.#staleness !== undefined) this.#staleness = copied(marks(capacity), this.#staleness)
  }

  /** Makes room for a late sample at index `at`. Data that readers have seen are not changed. */
  #openGap(at: number): void {
    this.#reserve()
    if (at < this.#seen) this.#copyColumns()
    const shift = (column: Float64Array | Uint8Array | undefined): void =>
      void column?.copyWithin(at + 1, at, this.#count)
    shift(this.#timesMs)
    shift(this.#values)
    shift(this.#startTimesMs)
    shift(this.#staleness)
    this.#histograms?.splice(at, 0, undefined)
    this.#count++
  }

  #copyColumns(): void {
    const copy = (column: Float64Array): Float64Array => copied(floats(column.length), column)
    this.#layout++
    this.#seen = 0
    this.#timesMs = copy(this.#timesMs)
    this.#values = copy(this.#values)
    if (this.#startTimesMs !== undefined) this.#startTimesMs = copy(this.#startTimesMs)
    if (this.#staleness !== undefined) this.#staleness = copied(marks(this.#staleness.length), this.#staleness)
  }

  /** Returns the index of the first sample in the columns after a time. */
  #firstAfter(timeMs: number): number {
    let low = 0
    let high = this.#count
    // Fast path: most ranges end now, so they include the last sample.
    if (this.lastMs <= timeMs) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#timesMs[middle] ?? Infinity) <= timeMs) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Removes the samples in the columns that are in `(startMs, endMs]`; returns their number. Slices returned earlier do
   * not change.
   */
  removeIn(startMs: number, endMs: number): number {
    const from = this.#firstAfter(startMs)
    const to = this.#firstAfter(endMs)
    const removed = to - from
    if (removed <= 0) return 0
    this.#owner.changes++
    this.#layout++
    const left = Math.max(FIRST_CAPACITY, this.#timesMs.length - removed)
    const isEmpty = removed === this.#count
    const rest = <A extends Float64Array | Uint8Array>(target: A, column: A): A => {
      target.set(column.subarray(0, from))
      target.set(column.subarray(to, to + left - from), from)
      return target
    }
    this.#timesMs = rest(floats(left), this.#timesMs)
    this.#values = rest(floats(left), this.#values)
    this.#startTimesMs = isEmpty ? undefined : this.#startTimesMs && rest(floats(left), this.#startTimesMs)
    this.#staleness = isEmpty ? undefined : this.#staleness && rest(marks(left), this.#staleness)
    for (const gone of this.#histograms?.splice(from, removed) ?? [])
      if (gone !== undefined) this.#histogramBytes -= histogramBytes(gone)
    this.#count -= removed
    this.#forgetHint(from)
    return removed
  }

  /** Returns a copy of the columns without the samples in `(startMs, endMs]`; `undefined` if no sample remains. */
  without(startMs: number, endMs: number): SampleColumns | undefined {
    const left = new SampleColumns(this.labels)
    left.adopt(this.state)
    left.#histograms = this.#histograms?.slice()
    left.#histogramBytes = this.#histogramBytes
    left.removeIn(startMs, endMs)
    return left.#count === 0 ? undefined : left
  }

  /**
   * Makes the reset hint of the first histogram after a time unknown. Must be called when samples up to this time were
   * deleted, even if they were in parts.
   */
  forgetHintBehind(timeMs: number): void {
    this.#forgetHint(this.#firstAfter(timeMs))
  }

  #forgetHint(at: number): void {
    const histogram = this.#histograms?.[at]
    if (this.#histograms === undefined || histogram?.hint !== 'not-reset') return
    this.#histograms[at] = withoutResetHint(histogram)
    this.#owner.changes++
    this.#layout++
  }

  /** Returns the index of the first sample in the columns at or after a time. */
  #firstFrom(timeMs: number): number {
    const after = this.#firstAfter(timeMs)
    return after > 0 && this.#timesMs[after - 1] === timeMs ? after - 1 : after
  }

  /**
   * True if columns or parts have a sample in `(startMs, endMs]`. Throws SluiceError `durable/damaged` if a part cannot
   * be read.
   */
  hasSampleIn(startMs: number, endMs: number): boolean {
    const at = this.#firstAfter(startMs)
    if (at < this.#count && (this.#timesMs[at] ?? Infinity) <= endMs) return true
    return this.parts.some((part) => part.hasSampleIn(startMs, endMs))
  }

  /** The times of the first and last sample, known without reading samples; `undefined` if there are none. */
  get span(): Omit<SeriesSpan, 'labels'> | undefined {
    let firstMs = Infinity
    let lastMs = -Infinity
    const own = this.#count === 0 ? [] : [this]
    for (const each of [...own, ...this.parts]) {
      firstMs = Math.min(firstMs, each.firstMs)
      lastMs = Math.max(lastMs, each.lastMs)
    }
    return firstMs > lastMs ? undefined : { firstMs, lastMs }
  }

  /**
   * Returns an upper bound for the number of samples in `(startMs, endMs]` in parts. Samples in the columns are not
   * counted, since reading them needs no further memory.
   */
  countIn(startMs: number, endMs: number): number {
    let count = 0
    for (const part of this.parts) count += part.countIn(startMs, endMs)
    return count
  }

  /**
   * Returns the samples in `(startMs, endMs]`; `undefined` if there are none. `take` allocates memory if slices must be
   * joined. Throws SluiceError `durable/damaged`.
   */
  slice(startMs: number, endMs: number, isPresenceOnly = false, take?: TakeFloats): SeriesSamples | undefined {
    const own = this.#ownSlice(startMs, endMs)
    const { parts } = this
    if (parts.length === 0) return own && { labels: this.labels, ...own }
    const slices: SamplesSlice[] = []
    for (const part of parts) {
      const slice = part.slice(startMs, endMs, isPresenceOnly)
      if (slice !== undefined) slices.push(slice)
    }
    if (own !== undefined) slices.push(own)
    return slices.length === 0 ? undefined : { labels: this.labels, ...mergedSlices(slices, take) }
  }

  #ownSlice(startMs: number, endMs: number): SamplesSlice | undefined {
    const from = this.#firstAfter(startMs)
    const to = this.#firstAfter(endMs)
    if (from >= to) return undefined
    this.#seen = Math.max(this.#seen, to)
    return {
      timesMs: this.#timesMs.subarray(from, to),
      values: this.#values.subarray(from, to),
      staleness: this.#staleness?.subarray(from, to),
      histograms: this.#histograms?.slice(from, to),
      startTimesMs: this.#startTimesMs?.subarray(from, to),
    }
  }
}
