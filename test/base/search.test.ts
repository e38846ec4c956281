import { expect, test } from 'vitest'
import { lastThat } from '../../src/base/index.ts'

test('the last place that is so is found by halving', () => {
  for (let count = 1; count < 40; count++) {
    for (let last = 0; last < count; last++) {
      let looks = 0
      const found = lastThat(count, (place) => {
        looks++
        return place <= last
      })
      expect([count, last, found]).toEqual([count, last, last])
      expect(looks).toBeLessThanOrEqual(Math.ceil(Math.log2(count)))
    }
  }
})

test('of no places it is the first', () => expect(lastThat(0, () => true)).toBe(0))
