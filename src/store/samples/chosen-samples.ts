import type { StepwiseTask } from '../../base/index.ts'
import { countOf, type SampleChoice } from './sample-choice.ts'
import type { SampleStore } from './store/sample-store.ts'

/**
 * Returns the number of samples that a choice selects. Throws SluiceError `durable/damaged` if some of them cannot be
 * read.
 */
export function* countChosen(store: SampleStore, choice: SampleChoice): StepwiseTask<number> {
  store.sources.checkReadable(choice.startMs, choice.endMs)
  let count = 0
  for (const series of store.series.find(choice.matchers)) {
    const slice = series.slice(choice.startMs, choice.endMs, true)
    if (slice !== undefined) count += countOf(slice)
    yield
  }
  return count
}
