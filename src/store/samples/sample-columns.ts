import { SluiceError, sharedMemory } from '../../base/index.ts'
import { isResetBetween, histogramBytes, withHint, type Histogram, type Labels } from '../../data/index.ts'
import type { NewSample } from './new-sample.ts'
import type { SamplesPart, SamplesSlice } from './samples-part.ts'
import { mergedSlices, type TakeFloats } from './slices.ts'
import type { SeriesSamples, SeriesSpan } from './source.ts'
import { isSystemFailure } from './system-failure.ts'

const FIRST_CAPACITY = 16
/** Columns that go on empty begin with as many samples as they had, but no more: telling others of grown ones takes longer than a sample does. */
const AGAIN_CAPACITY = 128

/**
 * What is known of resets is worked out once, when a histogram is stored: one that continues the sample before it is
 * known not to follow a reset; of the others only gauges and stated resets keep their hint.
 */
export function hintedHistogram(histogram: Histogram, previous: Histogram | undefined): Histogram {
  if (histogram.hint === 'gauge' || histogram.hint === 'reset') return histogram
  const current = withHint(histogram, 'unknown')
  if (previous === undefined || previous.hint === 'gauge') return current
  return isResetBetween(previous, current) ? current : withHint(histogram, 'not-reset')
}

/** Of a histogram whose sample before is gone nobody knows whether it follows a reset. */
export function withoutResetHint(histogram: Histogram): Histogram {
  return histogram.hint === 'not-reset' ? withHint(histogram, 'unknown') : histogram
}

/** The store of a series: it counts changes of all of them, and knows what they have behind their columns. */
export interface SeriesOwner {
  changes: number
  /** Of the series at a place, those that came first before others; made when they are asked for. */
  partsAt(place: number): readonly SamplesPart[]
}

/** The columns of a series as they stand, in memory that other threads can see; histograms aside. */
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

/** Bytes of short columns that lie in one piece of memory: naming a piece to another thread takes some microseconds. */
const PIECE_BYTES = 64 * 1024
/** Longer columns get memory of their own; a piece is held as long as one of its columns is. */
const LONGEST_IN_PIECE = 512
const NO_FLOATS = new Float64Array(0)

interface Piece {
  memory: ArrayBufferLike
  usedBytes: number
}

const pieces = new Map<number, Piece>()

/** A column of a series that grows, whose length is a power of two; the reader of another thread's columns never needs one. */
function pieceFloats(length: number): Float64Array {
  if (length > LONGEST_IN_PIECE || (length & (length - 1)) !== 0) return floats(length)
  let piece = pieces.get(length)
  if (piece === undefined || piece.usedBytes === piece.memory.byteLength) {
    // Few series grow long: their pieces have fewer columns.
    const bytes = Math.max(PIECE_BYTES / Math.max(1, length / FIRST_CAPACITY), 4 * length * 8)
    piece = { memory: sharedMemory(bytes), usedBytes: 0 }
    pieces.set(length, piece)
  }
  const column = new Float64Array(piece.memory, piece.usedBytes, length)
  piece.usedBytes += column.byteLength
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
 * The growing columns of one series, behind parts of it that lie elsewhere. Samples are kept by time; a second one at a time replaces
 * the first, wherever that is.
 */
export class SampleColumns implements SamplesPart {
  readonly labels: Labels
  readonly #owner: SeriesOwner
  readonly #place: number
  #count = 0
  #timesMs: Float64Array = NO_FLOATS
  #values: Float64Array = NO_FLOATS
  #staleness: Uint8Array | undefined
  #histograms: (Histogram | undefined)[] | undefined
  #startTimesMs: Float64Array | undefined
  #histogramBytes = 0
  /** Samples that others may be looking at: those behind them can still be moved. */
  #seen = 0
  #firstCapacity = FIRST_CAPACITY

  #layout = 0
  /** `undefined` where it is not known. */
  #knownPartsLastMs: number | undefined

  /** At a place of a store; without one there are no parts behind it. */
  constructor(labels: Labels, owner: SeriesOwner = { changes: 0, partsAt: () => NO_PARTS }, place = -1) {
    this.labels = labels
    this.#owner = owner
    this.#place = place
  }

  /** Another one whenever anything but the count has changed for readers of the columns. */
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

  /** Others look at all of the columns from now on. */
  see(): void {
    this.#seen = this.#count
  }

  /** What there is behind the columns, those that came first before others. */
  get parts(): readonly SamplesPart[] {
    return this.#owner.partsAt(this.#place)
  }

  /** Parts have come or gone. */
  partsChanged(): void {
    this.#knownPartsLastMs = undefined
  }

  /** Of the last sample in parts; -Infinity without one. */
  get #partsLastMs(): number {
    return (this.#knownPartsLastMs ??= this.parts.reduce((last, { lastMs }) => Math.max(last, lastMs), -Infinity))
  }

  /** Moves what the columns have to others that nothing is added to; `undefined` when they have nothing. Parts stay here. */
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

  /** Forgets what the columns have, not the parts. */
  empty(): void {
    this.adopt({ count: 0, timesMs: NO_FLOATS, values: NO_FLOATS, staleness: undefined, startTimesMs: undefined })
    this.#histograms = undefined
    this.#histogramBytes = 0
    this.#seen = 0
    this.#layout++
    this.#owner.changes++
  }

  /** Histograms from a sample on; `undefined` when there are none at all. */
  histogramsFrom(at: number): readonly (Histogram | undefined)[] | undefined {
    return this.#histograms?.slice(at)
  }

  /** Makes this the reader of the columns of another thread. */
  adopt(state: ColumnsState): void {
    this.#count = state.count
    this.#timesMs = state.timesMs
    this.#values = state.values
    this.#staleness = state.staleness
    this.#startTimesMs = state.startTimesMs
  }

  /** For a reader: so many samples are there by now. */
  adoptCount(count: number): void {
    this.#count = count
  }

  /** For a reader: histograms from a sample on. */
  adoptHistograms(at: number, histograms: readonly (Histogram | undefined)[]): void {
    const before = this.#histograms?.slice(0, at) ?? []
    // Samples that were told before the first histogram are numbers.
    while (before.length < at) before.push(undefined)
    this.#histograms = [...before, ...histograms]
  }

  /** Of the columns. */
  get count(): number {
    return this.#count
  }

  /** The time of the last sample in columns and parts; -Infinity without one. */
  get newestMs(): number {
    return Math.max(this.lastMs, this.#partsLastMs)
  }

  get bytes(): number {
    const perSample = 16 + (this.#staleness === undefined ? 0 : 1) + (this.#startTimesMs === undefined ? 0 : 8)
    return this.#timesMs.length * perSample + this.#histogramBytes
  }

  /** Of the columns. */
  get firstMs(): number {
    return this.#count === 0 ? Infinity : (this.#timesMs[0] ?? Infinity)
  }

  /** Of the columns. */
  get lastMs(): number {
    return this.#count === 0 ? -Infinity : (this.#timesMs[this.#count - 1] ?? -Infinity)
  }

  /** In the columns; `undefined` when there are not so many. */
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

  /** As `append`, without an object. */
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

  /** Of parts that cannot be read nothing is known: queries that need them are refused. Throws what `isThrown` holds for. */
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
   * The last sample before a time, in columns and parts. Throws SluiceError `durable/read-failed` where the system cannot read a
   * part now: a sum that went on without it would begin anew for ever.
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
      this.#timesMs = pieceFloats(this.#firstCapacity)
      this.#values = pieceFloats(this.#firstCapacity)
      return
    }
    const capacity = this.#count * 2
    const grow = (column: Float64Array): Float64Array => copied(pieceFloats(capacity), column)
    this.#timesMs = grow(this.#timesMs)
    this.#values = grow(this.#values)
    if (this.#startTimesMs !== undefined) this.#startTimesMs = grow(this.#startTimesMs)
    if (this.#staleness !== undefined) this.#staleness = copied(marks(capacity), this.#staleness)
  }

  /** Makes room for a late sample. What others look at stays as it is. */
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

  /** Index of the first sample later than the time. */
  #firstAfter(timeMs: number): number {
    let low = 0
    let high = this.#count
    // What is asked for up to now ends with the last one.
    if (this.lastMs <= timeMs) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#timesMs[middle] ?? Infinity) <= timeMs) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Forgets the samples of the columns in `(startMs, endMs]`; returns how many. Columns handed out before stay as they are. */
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

  /** What the columns have without `(startMs, endMs]`, which stay as they are; `undefined` when that is nothing. */
  without(startMs: number, endMs: number): SampleColumns | undefined {
    const left = new SampleColumns(this.labels)
    left.adopt(this.state)
    left.#histograms = this.#histograms?.slice()
    left.#histogramBytes = this.#histogramBytes
    left.removeIn(startMs, endMs)
    return left.#count === 0 ? undefined : left
  }

  /** Samples up to a time, in parts too, are not what they were: whether the next one in the columns follows a reset is not known. */
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

  /** Index of the first sample that is not before the time. */
  #firstFrom(timeMs: number): number {
    const after = this.#firstAfter(timeMs)
    return after > 0 && this.#timesMs[after - 1] === timeMs ? after - 1 : after
  }

  /** Throws SluiceError `durable/damaged` where a part cannot be read. */
  hasSampleIn(startMs: number, endMs: number): boolean {
    const at = this.#firstAfter(startMs)
    if (at < this.#count && (this.#timesMs[at] ?? Infinity) <= endMs) return true
    return this.parts.some((part) => part.hasSampleIn(startMs, endMs))
  }

  /** The first and the last time of all of its samples, which are not read; `undefined` when there are none. */
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

  /** Samples of parts that `(startMs, endMs]` has at most: those in the columns take no memory of their own. */
  countIn(startMs: number, endMs: number): number {
    let count = 0
    for (const part of this.parts) count += part.countIn(startMs, endMs)
    return count
  }

  /** The samples in `(startMs, endMs]`, where `take` says if they are joined; undefined when there are none. Throws SluiceError `durable/damaged`. */
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
