import { expect, test } from 'vitest'
import { Labels, NO_BUCKETS, type Histogram } from '../../../src/data/index.ts'
import { decodeSamples, sampleLine } from '../../../src/server/metrics/rule-queries.ts'

const histogram: Histogram = {
  schema: 3,
  count: 12,
  sum: -0.1,
  zeroThreshold: 2 ** -128,
  zeroCount: 2,
  positive: { indexes: [-4, 0, 7], counts: [1, 2.5, 3] },
  negative: NO_BUCKETS,
  bounds: [],
  hint: 'gauge',
}

test('samples of rules pass between threads unchanged', async () => {
  const labels = Labels.of({ __name__: 'a:b', job: 'x "y"\n', __proto__x: 'z' })
  const samples = [NaN, Infinity, -Infinity, -0, 5e-324, 0.1 + 0.2].map((value, i) => ({ timeMs: i - 3, value }))
  const lines = samples.map((sample) => sampleLine(labels, sample)).join('')
  const decoded = await decodeSamples(lines + sampleLine(Labels.empty, { timeMs: 1, value: 0, histogram }))
  expect(decoded.slice(0, -1).map(({ value }) => value)).toEqual(samples.map(({ value }) => value))
  expect(decoded.every((each, i) => i === samples.length || each.labels.key === labels.key)).toBe(true)
  expect(decoded.at(-1)).toMatchObject({ labels: Labels.empty, histogram })
})

test('a stale marker stays one', () => {
  const line = sampleLine(Labels.of({ a: 'b' }), { timeMs: 5, value: NaN, isStale: true })
  expect(line).toBe('{"metric":{"a":"b"},"values":["NaN"],"timestamps":[5],"stale":[0]}\n')
})

test('a label set that is too large is an error with its reason', async () => {
  const labels = Labels.of({ a: 'x'.repeat(70_000) })
  await expect(decodeSamples(sampleLine(labels, { timeMs: 0, value: 1 }))).rejects.toThrow('65,536 characters')
})
