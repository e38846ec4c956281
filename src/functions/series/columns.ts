import type { Meter } from '../../base/index.ts'
import type { Histogram, Labels } from '../../data/index.ts'

/** Kinds of values at one step: none, a float, or a histogram. */
export const ABSENT = 0
export const FLOAT = 1
export const HISTOGRAM = 2

/** One series of an instant vector, as columns with one entry per step. Immutable once returned. */
export interface SeriesColumn {
  readonly labels: Labels
  /** True if the labels still contain the metric name, which must be dropped at the end of the query. */
  readonly isNameDropped: boolean
  /** Value at each step. The entry is meaningless at steps without a float. */
  readonly values: Float64Array
  /** `ABSENT`, `FLOAT` or `HISTOGRAM` at each step. */
  readonly kinds: Uint8Array
  /** Histogram at each step; `undefined` if no step has one. */
  readonly histograms: (Histogram | undefined)[] | undefined
}

/** A column that is still being filled. */
export interface ColumnWriter extends SeriesColumn {
  histograms: (Histogram | undefined)[] | undefined
}

export function newColumn(labels: Labels, isNameDropped: boolean, stepCount: number): ColumnWriter {
  return {
    labels,
    isNameDropped,
    values: new Float64Array(stepCount),
    kinds: new Uint8Array(stepCount),
    histograms: undefined,
  }
}

/** Estimated memory of a series without its steps, bytes. */
export const SERIES_BYTES = 400
/** Memory of the value and the kind at one step, bytes. */
export const STEP_BYTES = 9

/** Returns the memory of the columns of `seriesCount` series, bytes. */
export function blockBytes(seriesCount: number, stepCount: number): number {
  return seriesCount * stepCount * STEP_BYTES
}

/** Columns of several series in one allocation; row `i` belongs to series `i`. */
export class ColumnBlock {
  readonly #values: Float64Array
  readonly #kinds: Uint8Array
  readonly #stepCount: number

  /**
   * Throws `budget/memory` if the columns exceed the budget. `memory` provides `blockBytes` bytes; by default they are
   * allocated.
   */
  constructor(seriesCount: number, stepCount: number, budget: Pick<Meter, 'charge'>, memory?: ArrayBufferLike) {
    const bytes = blockBytes(seriesCount, stepCount)
    budget.charge(bytes)
    // Releases the charge at once: only the limit is checked here, and the memory is charged when the value is
    // complete.
    budget.charge(-bytes)
    const count = seriesCount * stepCount
    this.#values = memory === undefined ? new Float64Array(count) : new Float64Array(memory, 0, count)
    this.#kinds = memory === undefined ? new Uint8Array(count) : new Uint8Array(memory, count * 8, count)
    this.#stepCount = stepCount
  }

  column(index: number, labels: Labels, isNameDropped: boolean): ColumnWriter {
    const from = index * this.#stepCount
    return {
      labels,
      isNameDropped,
      values: this.#values.subarray(from, from + this.#stepCount),
      kinds: this.#kinds.subarray(from, from + this.#stepCount),
      histograms: undefined,
    }
  }
}

/** Allocates columns one by one. For use if the number of columns is not known in advance. */
export class ColumnArena {
  static readonly #PER_BLOCK = 32
  readonly #stepCount: number
  #block: ColumnBlock | undefined
  #used = 0

  readonly #budget: Pick<Meter, 'charge'>

  constructor(stepCount: number, budget: Pick<Meter, 'charge'>) {
    this.#stepCount = stepCount
    this.#budget = budget
  }

  column(labels: Labels, isNameDropped: boolean): ColumnWriter {
    if (this.#block === undefined || this.#used === ColumnArena.#PER_BLOCK) {
      this.#block = new ColumnBlock(ColumnArena.#PER_BLOCK, this.#stepCount, this.#budget)
      this.#used = 0
    }
    return this.#block.column(this.#used++, labels, isNameDropped)
  }
}

export function setFloat(column: ColumnWriter, step: number, value: number): void {
  column.values[step] = value
  column.kinds[step] = FLOAT
}

export function setHistogram(column: ColumnWriter, step: number, histogram: Histogram): void {
  column.histograms ??= Array.from<Histogram | undefined>({ length: column.kinds.length }).fill(undefined)
  column.histograms[step] = histogram
  column.kinds[step] = HISTOGRAM
}

/** Returns the histogram at a step. The step must have the kind `HISTOGRAM`. */
export function histogramAt(column: SeriesColumn, step: number): Histogram {
  return column.histograms?.[step] as Histogram
}

/** True if the series has a value at any step. */
export function hasAny(column: SeriesColumn): boolean {
  const { kinds } = column
  for (let i = 0; i < kinds.length; i++) if (kinds[i] !== ABSENT) return true
  return false
}

/** Returns a series with the same samples and other labels. */
export function relabel(column: SeriesColumn, labels: Labels, isNameDropped: boolean): SeriesColumn {
  if (labels === column.labels && isNameDropped === column.isNameDropped) return column
  const { values, kinds, histograms } = column
  return { labels, isNameDropped, values, kinds, histograms }
}

/** Copies the value at one step from one column to another. */
export function copyStep(from: SeriesColumn, to: ColumnWriter, step: number): void {
  const kind = from.kinds[step]
  if (kind === FLOAT) setFloat(to, step, from.values[step])
  else if (kind === HISTOGRAM) setHistogram(to, step, histogramAt(from, step))
}
