import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import type { SamplesSource } from '../../../src/store/samples/index.ts'
import { SourceNumbers } from '../../../src/store/samples/source-numbers.ts'

const part = {
  count: 1,
  firstMs: 0,
  lastMs: 0,
  countIn: () => 0,
  slice: () => undefined,
  hasSampleIn: () => false,
  lastBefore: () => undefined,
}

/** Returns a source in which every seventh series has no samples. */
function sourceAt(places: Int32Array): SamplesSource {
  return {
    name: 'a',
    order: 1,
    bytes: 0,
    slots: () => places,
    part: (series) => (series % 7 === 6 ? undefined : part),
  }
}

describe.each([
  [1, 8],
  [3, 16],
  [1000, 8],
])('of places that are %d times more than series', (times, mostBytes) => {
  test('the number at each is found, and none where there is none', () => {
    const random = seededRandom(times)
    for (const count of [0, 1, 2, 500]) {
      const all = Array.from({ length: count * times }, (_, place) => place).sort(() => random.next() - 0.5)
      const places = Int32Array.from(all.slice(0, count))
      const numbers = new SourceNumbers(sourceAt(places), places)
      const known = new Map(
        [...places].flatMap((place, number) => (number % 7 === 6 ? [] : [[place, number] as const])),
      )
      all.push(all.length, all.length + 1)
      expect(all.filter((place) => numbers.at(place) !== known.get(place))).toEqual([])
      expect([...numbers.slots()].sort((a, b) => a - b)).toEqual([...known.keys()].sort((a, b) => a - b))
      expect(numbers.bytes).toBeLessThanOrEqual(mostBytes * count + 16)
    }
  })
})
