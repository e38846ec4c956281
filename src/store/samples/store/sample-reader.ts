import type { Labels } from '../../../data/index.ts'
import type { Exemplar } from '../exemplar.ts'
import type { ExemplarRing } from './exemplar-ring.ts'
import type { SampleColumns } from '../sample-columns.ts'
import { floatChunks } from '../slices.ts'
import type {
  MetadataRequest,
  SampleRequest,
  SampleSource,
  SeriesExemplars,
  SeriesFilter,
  SeriesSamples,
  SeriesSpan,
} from '../source.ts'
import type { SampleSources } from './sample-sources.ts'
import type { SeriesList } from './series-list.ts'

/** Memory of one sample that is read from a source, bytes: time, value, marks. */
const SAMPLE_BYTES = 24

/** Answers metric queries from the columns and sources of a store. */
export class SampleReader implements SampleSource {
  readonly #series: SeriesList
  readonly #sources: SampleSources
  readonly #exemplars: ExemplarRing

  constructor(series: SeriesList, sources: SampleSources, exemplars: ExemplarRing) {
    this.#series = series
    this.#sources = sources
    this.#exemplars = exemplars
  }

  /** Returns the samples of a request. Throws SluiceError `durable/damaged` if a source cannot be read. */
  select(request: SampleRequest): readonly SeriesSamples[] {
    const { startMs, endMs, isPresenceOnly, checkpoint, charge } = request
    this.#sources.checkReadable(startMs, endMs)
    const found: SeriesSamples[] = []
    const hasSources = this.#sources.all.length > 0
    const take = floatChunks()
    for (const series of this.#series.inOrder(this.#series.slots(request.matchers, request.guard))) {
      if (hasSources) {
        charge?.(series.countIn(startMs, endMs) * SAMPLE_BYTES)
        checkpoint?.()
      }
      const samples = series.slice(startMs, endMs, isPresenceOnly, take)
      if (samples !== undefined) found.push(samples)
    }
    return found
  }

  /**
   * Returns the label sets that have samples in the range. Throws SluiceError `durable/damaged` if a source cannot be
   * read.
   */
  series(request: MetadataRequest): readonly Labels[] {
    this.#sources.checkReadable(request.startMs, request.endMs)
    const filters = request.filters.length === 0 ? [[]] : request.filters
    const slots = new Set(filters.flatMap((matchers) => this.#series.slots(matchers, request.guard)))
    return this.#series
      .inOrder(slots)
      .filter((series) => series.hasSampleIn(request.startMs, request.endMs))
      .map(({ labels }) => labels)
  }

  /**
   * Returns the time spans of series. Throws SluiceError `durable/damaged` if the directory of a file cannot be read.
   */
  spans({ matchers, guard }: SeriesFilter): readonly SeriesSpan[] {
    this.#sources.checkReadable(-Infinity, Infinity)
    return this.#series
      .inOrder(this.#series.slots(matchers, guard))
      .flatMap(({ labels, span }) => (span === undefined ? [] : [{ labels, ...span }]))
  }

  exemplars({ filters, guard, startMs, endMs }: MetadataRequest): readonly SeriesExemplars[] {
    const { all } = this.#series
    const wanted = new Set(filters.flatMap((matchers) => this.#series.slots(matchers, guard)))
    const slots = new Set<number>()
    const found = new Map<SampleColumns | undefined, Exemplar[]>()
    for (const { slot, exemplar } of this.#exemplars.since(0)) {
      if (!wanted.has(slot) || exemplar.timeMs < startMs || exemplar.timeMs > endMs) continue
      slots.add(slot)
      const list = found.get(all[slot])
      if (list === undefined) found.set(all[slot], [exemplar])
      else list.push(exemplar)
    }
    return this.#series.inOrder(slots).map((series) => ({
      labels: series.labels,
      exemplars: (found.get(series) ?? []).sort((a, b) => a.timeMs - b.timeMs),
    }))
  }
}
