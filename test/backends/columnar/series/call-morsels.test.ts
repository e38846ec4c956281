import { afterAll, describe, expect, test } from 'vitest'
import type { Parallelism } from '../../../../src/backends/columnar/index.ts'
import { Labels } from '../../../../src/data/index.ts'
import { DEFAULT_FLAGS, STABLE_FLAGS } from '../../../../src/backends/columnar/series/index.ts'
import { simulatedThreads } from '../../../../src/fuzz/simulated-threads.ts'
import { startThreads } from '../../../../src/workers/engine-threads.ts'
import { SampleStore } from '../../../../src/store/samples/index.ts'
import { histogram, random, run } from './metrics.ts'

/** Creates series of several names and types with gaps, resets, staleness, NaN and start times. */
function makeStore(): SampleStore {
  const next = random(5)
  const store = new SampleStore()
  for (let s = 0; s < 70; s++) {
    const name = ['hits_total', 'level', 'odd'][s % 3] ?? ''
    const labels = Labels.of({
      __name__: name,
      __type__: s % 2 === 0 ? 'counter' : 'gauge',
      instance: `i${s}`,
      zone: `z${s % 4}`,
    })
    let total = 0
    for (let i = 0; i < 80; i++) {
      const fate = next()
      if (fate < 0.08) continue
      const timeMs = i * 15_000 + Math.floor(next() * 400)
      if (fate < 0.1) store.writer.append(labels, { timeMs, value: Number.NaN, isStale: true })
      else {
        total = next() < 0.03 ? 0 : total + next() * 10
        const startTimeMs = s % 4 === 0 && next() < 0.2 ? timeMs - 40_000 : 0
        store.writer.append(labels, { timeMs, value: next() < 0.02 ? Number.NaN : total, startTimeMs })
      }
    }
  }
  return store
}

const store = makeStore()
const times = { startMs: 200_000, endMs: 1_300_000, stepMs: 10_000 }
const queries = [
  'rate({instance=~".+"}[2m])',
  'sum by (zone) (rate(hits_total[1m]))',
  'irate(level[3m]) + on (instance) group_left delta(level[2m] offset 30s)',
  'quantile_over_time(1.2, {instance=~"i.*"}[1m])',
  'quantile_over_time(scalar(count(level)) / 40, odd[3m])',
  'predict_linear(level[4m], 60)',
  'last_over_time({instance=~"i[0-4]."}[5m] @ 600)',
  'max_over_time(rate(hits_total[1m])[5m:30s])',
  'avg_over_time(odd[2m]) - stddev_over_time(odd[2m])',
  'changes(level[5m]) > resets(level[5m])',
  'increase(hits_total[1m] anchored)',
  'rate(hits_total[1m] smoothed)',
  'count_over_time({instance="none"}[5m])',
]

/** Wraps a parallelism and counts how often work is shared. */
function counting(parallelism: Parallelism) {
  const counted = { offers: 0, parallelism }
  return Object.assign(counted, {
    parallelism: {
      ...parallelism,
      share: (work: Parameters<Parallelism['share']>[0]) => {
        counted.offers++
        return parallelism.share(work)
      },
    },
  })
}

describe('calls over range vectors that several threads work on', () => {
  test.each(queries)('answer and note what one thread does: %s', async (query) => {
    for (const flags of [DEFAULT_FLAGS, { ...STABLE_FLAGS, hasTypeAndUnitLabels: true }]) {
      const alone = await run(store, query, times, flags)
      expect(await run(store, query, times, flags, simulatedThreads())).toEqual(alone)
      const instant = { startMs: 900_000, endMs: 900_000, stepMs: 0 }
      const then = await run(store, query, instant, flags)
      expect(await run(store, query, instant, flags, simulatedThreads())).toEqual(then)
    }
  })

  test('are offered once a call', async () => {
    const counted = counting(simulatedThreads())
    await run(store, 'sum(rate(hits_total[1m])) / sum(rate(level[1m]))', times, DEFAULT_FLAGS, counted.parallelism)
    expect(counted.offers).toBe(2)
  })

  test('stay in one thread where there are histograms, or one series', async () => {
    const counted = counting(simulatedThreads())
    const native = new SampleStore()
    for (const instance of ['a', 'b']) {
      const whole = histogram({ count: 3, sum: 4, buckets: [2, 1] })
      native.writer.append(Labels.of({ __name__: 'native', instance }), { timeMs: 300_000, value: 0, histogram: whole })
    }
    await run(native, 'rate(native[5m])', times, DEFAULT_FLAGS, counted.parallelism)
    await run(store, 'rate({instance="i3"}[5m])', times, DEFAULT_FLAGS, counted.parallelism)
    expect(counted.offers).toBe(0)
  })

  describe('threads', () => {
    const threads = startThreads({ workers: 1, shareAfterMs: 0 })
    afterAll(() => threads.close())

    test('answer as one thread does for any assignment of series', async () => {
      for (const query of queries) {
        const alone = await run(store, query, times)
        for (let round = 0; round < 3; round++)
          expect(await run(store, query, times, DEFAULT_FLAGS, threads.parallelism)).toEqual(alone)
      }
    })
  })
})
