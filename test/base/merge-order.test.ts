import { describe, expect, test } from 'vitest'
import { atOnce, mergeOrder, seededRandom } from '../../src/base/index.ts'

describe('an order found in turns', () => {
  test.each([0, 1, 2, 4095, 4096, 4097, 12_288, 50_000])('is that of a stable sort of %i values', (length) => {
    const random = seededRandom(length)
    const values = Array.from({ length }, () => random.below(1 + (length >> 3)))
    const compare = (a: number, b: number): number => (values[a] ?? 0) - (values[b] ?? 0)
    const wanted = values.map((_, i) => i).sort(compare)
    expect([...atOnce(mergeOrder(length, compare))]).toEqual(wanted)
  })

  test('compares a bounded number of times between two turns', () => {
    let compared = 0
    let most = 0
    const turns = mergeOrder(100_000, (a, b) => {
      compared++
      return ((a * 7919) % 1009) - ((b * 7919) % 1009)
    })
    while (turns.next().done !== true) {
      most = Math.max(most, compared)
      compared = 0
    }
    expect(most).toBeLessThan(4096 * 13)
  })

  test('keeps what is in order already with one comparison for each merge', () => {
    let compared = 0
    atOnce(
      mergeOrder(65_536, (a, b) => {
        compared++
        return a - b
      }),
    )
    expect(compared).toBeLessThan(65_536 + 32)
  })
})
