import { describe, expect, test } from 'vitest'
import { noReads, runWithBudget } from '../../../src/base/index.ts'
import { BlockCache, CachedPart } from '../../../src/store/segments/index.ts'

const MIB = 2 ** 20
const LIMIT_MIB = 128

/** Creates parts of 1 MiB that share a cache of 128 MiB, and counts how often a part is read. */
function cacheOf(count: number) {
  const cache = new BlockCache(LIMIT_MIB * MIB)
  let reads = 0
  const parts = Array.from({ length: count }, () => new CachedPart(cache, MIB, () => ++reads))
  /** Runs a query that uses a range of the parts in order. Returns how many parts it read. */
  const ask = (from: number, to: number): number => {
    const before = reads
    const budget = { checkpoint: () => undefined, reads: noReads() }
    for (const part of parts.slice(from, to)) runWithBudget(budget, () => part.get())
    expect(cache.heldBytes).toBeLessThanOrEqual(LIMIT_MIB * MIB)
    return reads - before
  }
  return { ask }
}

describe('a cache', () => {
  test('holds what there is room for', () => {
    const { ask } = cacheOf(100)
    expect([ask(0, 100), ask(0, 100), ask(0, 100)]).toEqual([100, 0, 0])
  })

  test.each([150, 256, 500])('holds a part of %i MiB that are used in turn', (count) => {
    const { ask } = cacheOf(count)
    expect(ask(0, count)).toBe(count)
    ask(0, count)
    const rounds = [ask(0, count), ask(0, count), ask(0, count)]
    for (const read of rounds) expect(read).toBeLessThan(count - 0.7 * LIMIT_MIB)
  })

  test('caches what is asked for again and again, also after rounds of more than there is room for', () => {
    const { ask } = cacheOf(400)
    for (let round = 0; round < 4; round++) ask(0, 300)
    expect(ask(300, 400)).toBe(100)
    expect(ask(300, 400)).toBeLessThan(5)
    expect(ask(300, 400)).toBe(0)
    for (let round = 0; round < 4; round++) ask(0, 300)
    // The cache remembers which parts were used before the rounds, so they are held again.
    ask(300, 400)
    ask(300, 400)
    expect(ask(300, 400)).toBe(0)
  })

  test('does not hold for ever what rounds used that come no more', () => {
    const { ask } = cacheOf(400)
    for (let round = 0; round < 4; round++) ask(0, 200)
    for (let round = 0; round < 10; round++) ask(200, 400)
    expect(ask(200, 400)).toBeLessThan(200 - 0.7 * LIMIT_MIB)
  })
})
