import { parseMetricLines, metricLines, storeMetrics } from '../../../ingest/metrics/index.ts'
import { SampleStore } from '../../../store/index.ts'
import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/** Samples that are exported as lines and imported again give a bit-identical answer with the same annotations. */
export const exportedIsMemory: PromqlLaw = {
  name: 'exported-is-memory',
  check: async (given) => {
    const { store } = given.packed
    let text = ''
    for (const { labels, ...samples } of store.reader.select({
      matchers: [],
      guard: undefined,
      startMs: -Infinity,
      endMs: Infinity,
    }))
      for (const line of metricLines(labels, samples)) text += line
    const { samples, badCount } = parseMetricLines(text, { defaultTimeMs: 0 })
    if (badCount > 0) return `${badCount} lines were not read back`
    const read = new SampleStore()
    storeMetrics(read, samples)
    return differenceIn(given, read.reader, 'exported')
  },
}
