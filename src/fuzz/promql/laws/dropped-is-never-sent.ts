import { SampleStore } from '../../../store/index.ts'
import { packedStore } from '../packed-store.ts'
import { runQuery } from '../run-query.ts'
import { isSameButHints } from './deleted-is-never-sent.ts'
import { differenceIn } from './other-source.ts'
import type { PromqlLaw } from './law.ts'

/**
 * After the oldest packed samples are dropped, queries answer as if only the remaining samples had been sent, also in
 * another thread.
 */
export const droppedIsNeverSent: PromqlLaw = {
  name: 'dropped-is-never-sent',
  check: async (given) => {
    const { text, startMs, endMs, stepMs, samples, random } = given
    const packed = packedStore(samples)
    const { store, packer } = packed
    for (let drops = 1 + random.below(3); drops > 0 && packer.oldestMs !== undefined; drops--) packer.dropOldest()
    // Some of the samples are sent again afterwards.
    for (let i = random.below(20); i > 0; i--) {
      const sample = random.pick(samples)
      store.writer.append(sample.labels, sample)
    }
    packed.tell()
    const left = new SampleStore()
    const all = { matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity }
    for (const { labels, timesMs, values, staleness, histograms, startTimesMs } of store.reader.select(all))
      for (const [i, timeMs] of timesMs.entries()) {
        const histogram = histograms?.[i]
        left.writer.append(labels, {
          timeMs,
          value: values[i] ?? 0,
          isStale: staleness?.[i] === 1,
          startTimeMs: startTimesMs?.[i] ?? 0,
          ...(histogram && { histogram }),
        })
      }
    if (store.series.count !== left.series.count) return `${store.series.count} series for ${left.series.count}`
    const answer = await runQuery(text, { startMs, endMs, stepMs }, left.reader)
    return differenceIn({ ...given, answer }, packed.replica.reader, 'dropped', isSameButHints)
  },
}
