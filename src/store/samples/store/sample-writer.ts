import type { Labels } from '../../../data/index.ts'
import type { Exemplar } from '../exemplar.ts'
import type { ExemplarRing } from './exemplar-ring.ts'
import type { NewSample } from '../new-sample.ts'
import type { SampleColumns } from '../sample-columns.ts'
import { isGone, type SeriesList } from './series-list.ts'

/** Adds series, samples and exemplars to a store. */
export class SampleWriter {
  readonly #series: SeriesList
  readonly #exemplars: ExemplarRing
  /** The slot of the last series that was looked up. */
  #lastSlot = -1

  constructor(series: SeriesList, exemplars: ExemplarRing) {
    this.#series = series
    this.#exemplars = exemplars
  }

  /**
   * Returns the columns of a series; adds the series if it is new. Callers that append many samples may keep the
   * columns.
   */
  getOrCreateSeries(labels: Labels): SampleColumns {
    return this.#known(labels) ?? this.#series.add(labels)
  }

  /**
   * Does the same as `getOrCreateSeries`, but returns `undefined` if the series is new and there are already
   * `limitSeries`.
   */
  seriesWithin(labels: Labels, limitSeries: number): SampleColumns | undefined {
    return this.#known(labels) ?? (this.#series.count < limitSeries ? this.#series.add(labels) : undefined)
  }

  append(labels: Labels, sample: NewSample): void {
    this.getOrCreateSeries(labels).append(sample)
  }

  /** Adds an exemplar. Its series is added if it is new, unless there are already `limitSeries`. */
  addExemplar(labels: Labels, exemplar: Exemplar, limitSeries = Infinity): void {
    if (this.seriesWithin(labels, limitSeries) === undefined) return
    this.#exemplars.add(this.#series.slotOf(labels) ?? -1, exemplar)
  }

  #known(labels: Labels): SampleColumns | undefined {
    // Senders usually repeat series in the same order, so the next slot is tried first.
    const next = this.#series.all[this.#lastSlot + 1]
    if (next?.labels === labels && !isGone(next)) {
      this.#lastSlot++
      return next
    }
    const slot = this.#series.slotOf(labels)
    if (slot === undefined) return undefined
    this.#lastSlot = slot
    return this.#series.all[slot]
  }
}
