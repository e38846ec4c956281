import { describe, expect, test } from 'vitest'
import { Labels } from '../../../../src/data/index.ts'
import {
  DEFAULT_FLAGS,
  STABLE_FLAGS,
  histogramJson,
  type SeriesAnswer,
} from '../../../../src/backends/columnar/series/index.ts'
import { present, SluiceError } from '../../../../src/base/index.ts'
import { SampleStore } from '../../../../src/store/samples/index.ts'
import { run, histogram, random } from './metrics.ts'

/** Creates counters, gauges and histograms with gaps, staleness, resets, NaN, infinities and jitter. */
function makeStore(seed: number): SampleStore {
  const next = random(seed)
  const store = new SampleStore()
  for (let s = 0; s < 12; s++) {
    const shared = { instance: `i${s % 4}`, zone: `z${s % 3}` }
    const counter = Labels.of({ __name__: s % 2 === 0 ? 'hits_total' : 'misses_total', ...shared })
    const gauge = Labels.of({ __name__: 'level', ...shared })
    const native = Labels.of({ __name__: s % 5 === 0 ? 'mixed' : 'native', ...shared })
    let total = 0
    let count = 0
    for (let i = 0; i < 90; i++) {
      const timeMs = i * 15_000 + Math.floor(next() * 400)
      const fate = next()
      if (fate < 0.08) continue
      if (fate < 0.11) {
        store.writer.append(counter, { timeMs, value: NaN, isStale: true })
        continue
      }
      total = next() < 0.03 ? 0 : total + Math.floor(next() * 10)
      const startTimeMs = next() < 0.2 ? timeMs - Math.floor(next() * 40_000) : 0
      store.writer.append(counter, { timeMs, value: total, startTimeMs: s % 4 === 0 ? startTimeMs : 0 })
      const special = next()
      const value = special < 0.02 ? NaN : special < 0.03 ? Infinity : Math.round(next() * 100) - 50
      store.writer.append(gauge, { timeMs, value })
      count = next() < 0.04 ? 1 : count + Math.floor(next() * 4)
      if (s % 5 === 0 && next() < 0.3) store.writer.append(native, { timeMs, value: count })
      else {
        const schema = s % 5 === 0 ? -53 : s % 2
        const bounds = schema === -53 ? [1, 2] : []
        const buckets = [count, Math.floor(count / 2), 1]
        const whole = histogram({ schema, bounds, count: count + Math.floor(count / 2) + 1, sum: count * 1.5, buckets })
        store.writer.append(native, { timeMs, value: 0, histogram: whole })
      }
    }
    for (const le of ['1', '2', '5', '+Inf']) {
      const bucket = Labels.of({ __name__: 'latency_bucket', le, ...shared })
      for (let i = 0; i < 90; i++) {
        if (next() < 0.1) continue
        store.writer.append(bucket, { timeMs: i * 15_000, value: i * (le === '+Inf' ? 7 : Number(le)) })
      }
    }
  }
  return store
}

const queries = [
  'level',
  'level offset 90s',
  'level @ 300',
  'level smoothed',
  'timestamp(level)',
  'start_timestamp(hits_total)',
  ...['rate', 'increase', 'irate', 'resets', 'changes'].map((fn) => `${fn}({__name__=~"hits_total|misses_total"}[2m])`),
  'rate(hits_total[2m] anchored)',
  'rate(hits_total[100s] smoothed)',
  'increase(native[2m] anchored)',
  'delta(level[2m] smoothed)',
  'changes(level[95s] anchored)',
  'delta(level[3m])',
  'idelta(level[1m])',
  'deriv(level[4m])',
  'predict_linear(level[4m], 60)',
  'double_exponential_smoothing(level[4m], 0.3, 0.4)',
  ...['sum', 'avg', 'min', 'max', 'count', 'stddev', 'stdvar', 'last', 'first', 'present', 'mad'].map(
    (fn) => `${fn}_over_time(level[5m])`,
  ),
  ...['first', 'last', 'min', 'max'].map((which) => `ts_of_${which}_over_time(level[5m])`),
  'quantile_over_time(0.3, level[5m])',
  'quantile_over_time(time() / 1000, level[5m])',
  'absent_over_time(level{instance="i1"}[20s])',
  'absent(hits_total{instance="i2", zone="z9"})',
  'max_over_time(rate(hits_total[1m])[5m:20s])',
  'avg_over_time(level[3m:7s] offset 11s)',
  'rate(native[3m])',
  'increase(mixed[3m])',
  'sum_over_time(native[2m])',
  'avg_over_time(mixed[2m])',
  'count_over_time(mixed[2m])',
  'last_over_time(mixed[2m])',
  'resets(native[3m])',
  'irate(native[3m])',
  'histogram_count(native)',
  'histogram_avg(rate(native[2m]))',
  'histogram_stddev(native)',
  'histogram_quantile(0.9, native)',
  'histogram_quantile(0.9, rate(latency_bucket[2m]))',
  'histogram_quantile(0.5, sum by (le, zone) (latency_bucket))',
  'histogram_quantiles(latency_bucket, "q", 0.5, 0.9)',
  'histogram_fraction(1, 3, latency_bucket)',
  'histogram_fraction(0, 2, native)',
  ...['sum', 'avg', 'min', 'max', 'count', 'group', 'stddev', 'stdvar'].map((op) => `${op} by (zone) (level)`),
  'sum without (instance) (native)',
  'avg(mixed)',
  'quantile by (zone) (0.7, level)',
  'count_values("v", abs(level) < 5)',
  'limitk(2, level)',
  'limit_ratio(0.5, level)',
  'level + on (instance, zone) hits_total',
  'level * on (zone) group_left (owner) label_replace(max by (zone) (level), "owner", "me", "", "")',
  'max by (zone) (level) - on (zone) group_right () fill_right(0) hits_total',
  'hits_total > bool 20',
  '30 < hits_total',
  'level == on (instance, zone) fill(3) hits_total',
  'hits_total and on (zone) (level > 0)',
  'hits_total unless level < 0',
  'hits_total or misses_total',
  'level % 7 ^ 2 - -level',
  'native + native',
  'native - 0.5 * native',
  'native == native',
  'mixed >/ 1',
  'scalar(level{instance="i1", zone="z1"}) + vector(time())',
  'label_replace(level, "zone", "x-$1", "zone", "z(.)")',
  'label_join(level, "both", "/", "zone", "instance")',
  'clamp(level, -10, time() / 60)',
  'round(level / 3, 0.5)',
  'minute(vector(time()))',
  'day_of_week()',
  'sgn(level)',
  'abs({__name__=~"hits_total|level"})',
]

const START = 120_000
const STEP = 37_000
const COUNT = 25

/** Returns each value by series and time. */
function valuesOf(answer: SeriesAnswer): Map<string, string> {
  const values = new Map<string, string>()
  if (answer.type === 'scalar') values.set(`{} ${answer.timeMs}`, String(answer.value))
  if (answer.type === 'vector') {
    for (const { labels, value, histogram } of answer.samples) {
      values.set(`${String(labels)} ${answer.timeMs}`, shown(value, histogram))
    }
  }
  if (answer.type === 'matrix') {
    for (const series of answer.series) {
      series.timesMs.forEach((timeMs, i) => {
        values.set(`${String(series.labels)} ${timeMs}`, shown(present(series.values[i]), series.histograms?.[i]))
      })
    }
  }
  return values
}

function shown(value: number, histogram: Parameters<typeof histogramJson>[0] | undefined): string {
  return histogram === undefined ? value.toPrecision(9) : `${histogramJson(histogram)} ${histogram.hint}`
}

async function attempt(run: () => Promise<Map<string, string>>): Promise<Map<string, string> | 'refused'> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof SluiceError) return 'refused'
    throw error
  }
}

describe.each([
  ['names removed at the end', DEFAULT_FLAGS],
  ['names removed at once', STABLE_FLAGS],
])('a range query is its instant queries, %s', (_, flags) => {
  const store = makeStore(11)
  test.each(queries)('%s', async (query) => {
    const endMs = START + STEP * (COUNT - 1)
    const range = await attempt(async () =>
      valuesOf((await run(store, query, { startMs: START, endMs, stepMs: STEP }, flags)).answer),
    )
    const instants = await attempt(async () => {
      const all = new Map<string, string>()
      for (let i = 0; i < COUNT; i++) {
        const timeMs = START + i * STEP
        const { answer } = await run(store, query, { startMs: timeMs, endMs: timeMs, stepMs: 0 }, flags)
        for (const [key, value] of valuesOf(answer)) all.set(key, value)
      }
      return all
    })
    expect(range).toEqual(instants)
    if (range !== 'refused' && !query.startsWith('absent')) expect(range.size).toBeGreaterThan(0)
  })
})
