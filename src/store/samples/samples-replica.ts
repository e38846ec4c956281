import { present } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import type { SamplesNews } from './samples-publisher.ts'
import { SampleStore } from './sample-store.ts'

/** Brings a store of samples, which nobody else writes to, to where the one of another thread is. */
export function applySamplesNews(store: SampleStore, { series, counts, histograms, exemplars }: SamplesNews): void {
  const { columns } = store
  for (const { place, labels, ...state } of series) {
    const known = labels === undefined ? columns[place] : store.seriesFor(Labels.fromSorted(...labels))
    present(known, 'a series').adopt(state)
  }
  for (let i = 0; i < counts.length; i += 2)
    present(columns[counts[i] ?? -1], 'a series').adoptCount(counts[i + 1] ?? 0)
  for (const [place, at, list] of histograms) present(columns[place], 'a series').adoptHistograms(at, list)
  for (const [place, timeMs, value, names, values] of exemplars)
    store.adoptExemplar({ place, exemplar: { timeMs, value, labels: Labels.fromSorted(names, values) } })
}
