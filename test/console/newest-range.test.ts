import { expect, test } from 'vitest'
import { newestRange } from '../../src/console/pages/search/overview.ts'

const range = { startMs: 0, endMs: 400 }
const hits = (each: readonly number[]) => ({
  stepMs: 100,
  timesMs: [0, 100, 200, 300],
  total: 0,
  groups: [
    { name: 'a', total: 0, hits: each },
    { name: 'b', total: 0, hits: [1, 0, 0, 0] },
  ],
})

test.each([
  [[5, 5, 5, 5], 100, 0],
  [[5, 5, 5, 5], 21, 0],
  [[5, 5, 5, 5], 20, 100],
  [[5, 5, 5, 5], 12, 200],
  [[5, 5, 5, 50], 12, 300],
  [[0, 0, 0, 0], 1, 0],
])('of %j rows a bar, at most %i are since %i', (each, most, startMs) => {
  expect(newestRange(range, hits(each), most)).toEqual({ startMs, endMs: 400 })
})

test('a range without bars is whole', () => {
  expect(newestRange(range, { stepMs: 100, timesMs: [], total: 0, groups: [] }, 1)).toEqual(range)
})
