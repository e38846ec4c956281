import { expect, test, vi } from 'vitest'
import { warmUpKeys } from '../../../src/backends/columnar/index.ts'
import { GrowingDictionary } from '../../../src/store/index.ts'

test('each round looks all keys up anew, in turns, and finds the half that the other side has', () => {
  const lookUp = vi.spyOn(GrowingDictionary.prototype, 'codesOfEntries')
  const turns = warmUpKeys()
  let count = 0
  let step = turns.next()
  for (; step.done !== true; step = turns.next()) count++
  expect(step.value).toEqual(Array(6).fill(8192))
  // Other work waits for a thousand look-ups at most.
  expect(count).toBeGreaterThan(6 * 16)
  const lookedUp = (hasFilter: boolean): number =>
    lookUp.mock.calls
      .filter(([, , , filter]) => (filter !== undefined) === hasFilter)
      .reduce((sum, [, codes]) => sum + codes.length, 0)
  expect([lookedUp(false), lookedUp(true)]).toEqual([6 * 16_384, 6 * 16_384])
  lookUp.mockRestore()
})
