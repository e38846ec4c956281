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
  /** Of the series that was looked up last. */
  #lastPlace = -1

  constructor(series: SeriesList, exemplars: ExemplarRing) {
    this.#series = series
    this.#exemplars = exemplars
  }

  /** The columns of a series, made when it is new. Keep it to append many samples without looking it up again. */
  seriesFor(labels: Labels): SampleColumns {
    return this.#known(labels) ?? this.#series.add(labels)
  }

  /** As `seriesFor`; `undefined` for a new series if there are `limitSeries` already. */
  seriesWithin(labels: Labels, limitSeries: number): SampleColumns | undefined {
    return this.#known(labels) ?? (this.#series.count < limitSeries ? this.#series.add(labels) : undefined)
  }

  append(labels: Labels, sample: NewSample): void {
    this.seriesFor(labels).append(sample)
  }

  /** Adds an exemplar of a series, which is made when it is new and within the limit. */
  addExemplar(labels: Labels, exemplar: Exemplar, limitSeries = Infinity): void {
    if (this.seriesWithin(labels, limitSeries) === undefined) return
    this.#exemplars.add(this.#series.placeOf(labels) ?? -1, exemplar)
  }

  #known(labels: Labels): SampleColumns | undefined {
    // Senders repeat series in the order in which they first came.
    const next = this.#series.all[this.#lastPlace + 1]
    if (next?.labels === labels && !isGone(next)) {
      this.#lastPlace++
      return next
    }
    const place = this.#series.placeOf(labels)
    if (place === undefined) return undefined
    this.#lastPlace = place
    return this.#series.all[place]
  }
}
