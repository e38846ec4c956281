import { InvariantError, present } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import type { OpenSamples, SamplesDelta } from './samples-publisher.ts'
import type { SampleStore } from './store/sample-store.ts'

const noFiles: OpenSamples = () => {
  throw new InvariantError('a reader that can open files of samples')
}

/**
 * Applies a delta to a replica, which then equals the store in the other thread. Nothing else may write to the replica.
 */
export function applySamplesDelta(store: SampleStore, news: SamplesDelta, open = noFiles): void {
  const { series, counts, histograms, exemplars, exemplarsGone = [], sources } = news
  const columns = store.series.all
  for (const { slot, labels, ...state } of series) {
    if (labels === 'gone') {
      store.series.addGone()
      continue
    }
    if (labels !== undefined) {
      store.forgetSeries([slot])
      store.series.add(Labels.fromSorted(...labels), slot)
    }
    present(columns[slot], 'a series').adopt(state)
  }
  for (let i = 0; i < counts.length; i += 2)
    present(columns[counts[i] ?? -1], 'a series').adoptCount(counts[i + 1] ?? 0)
  for (const [slot, at, list] of histograms) present(columns[slot], 'a series').adoptHistograms(at, list)
  for (const removal of exemplarsGone) store.exemplars.applyRemoval(removal)
  for (const [slot, timeMs, value, names, values] of exemplars)
    store.exemplars.add(slot, { timeMs, value, labels: Labels.fromSorted(names, values) })
  if (sources === undefined) return
  const { frozen, gone = [], stored = [], goneSeries = [] } = sources
  if (frozen?.order !== undefined) store.sources.freeze(frozen.order)
  else if (frozen !== undefined) store.sources.emptyColumns()
  for (const name of gone) {
    store.sources.replace(
      store.sources.all.filter((source) => source.name === name),
      undefined,
    )
    store.sources.removeUnreadable(name)
  }
  for (const each of stored) {
    try {
      store.sources.replace([], open(each))
    } catch (error) {
      store.sources.addUnreadable({ ...each, error, open: () => open(each) })
    }
  }
  store.forgetSeries(goneSeries)
}
