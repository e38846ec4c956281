import { ExemplarRing } from './exemplar-ring.ts'
import type { SeriesOwner } from '../sample-columns.ts'
import type { SampleChoice } from '../sample-choice.ts'
import { SampleReader } from './sample-reader.ts'
import { SampleSources } from './sample-sources.ts'
import { SampleWriter } from './sample-writer.ts'
import { SeriesList, isGone } from './series-list.ts'

/** Memory of a series without its columns and labels, bytes. */
const SERIES_BYTES = 256

/** Metric samples: the data of a store (series, sources, exemplars) and the objects that write and read them. */
export class SampleStore {
  readonly #owner: SeriesOwner = { changes: 0, partsAt: (slot) => this.sources.partsAt(slot) }
  readonly series = new SeriesList(this.#owner)
  readonly sources = new SampleSources(this.#owner, this.series)
  readonly exemplars = new ExemplarRing(this.#owner)
  readonly writer = new SampleWriter(this.series, this.exemplars)
  readonly reader = new SampleReader(this.series, this.sources, this.exemplars)

  /** Incremented for each series, sample and exemplar that is added or removed. */
  get version(): number {
    return this.#owner.changes
  }

  /** The number of samples. A sample that is in several sources counts several times. */
  get sampleCount(): number {
    return this.series.all.reduce(
      (total, { count, parts }) => total + parts.reduce((sum, part) => sum + part.count, count),
      0,
    )
  }

  /** Memory of the whole store, bytes. */
  get bytes(): number {
    let total = this.sources.bytes + this.series.labelBytes + this.exemplars.bytes
    for (const { bytes } of this.series.all) total += bytes + SERIES_BYTES
    return total
  }

  /** Removes series by slot, and their exemplars. Callers must not use the columns of these series afterwards. */
  forgetSeries(slots: Iterable<number>): void {
    const gone = this.series.remove(slots)
    if (gone.size > 0) this.exemplars.remove(({ slot }) => gone.has(slot))
  }

  /** Removes the series without samples and frees their slots for new series. */
  forgetEmptySeries(): void {
    const haveParts = this.sources.haveParts()
    const empty: number[] = []
    for (const [slot, series] of this.series.all.entries())
      if (!isGone(series) && series.count === 0 && haveParts[slot] === 0) empty.push(slot)
    this.forgetSeries(empty)
    this.series.reuse(empty)
  }

  /** Removes the exemplars that a choice selects. */
  removeExemplars(choice: SampleChoice): void {
    this.exemplars.removeOf(new Set(this.series.slots(choice.matchers)), choice)
  }
}
