import { expect, test } from 'vitest'
import { TestClock } from '../../../src/alerting/service/index.ts'

const START_MS = 1_773_140_400_000
const settle = (): Promise<void> => Promise.resolve()

test('the test clock moves forward only, and at most 12 hours at a time', async () => {
  const clock = new TestClock()
  await clock.moveTo(START_MS, settle)
  await expect(clock.moveTo(START_MS - 1, settle)).rejects.toThrow('moves forward')
  await expect(clock.moveTo(START_MS + 43_200_001, settle)).rejects.toThrow('at most 12 hours')
  await clock.moveTo(START_MS + 43_200_000, settle)
  expect(clock.nowMs()).toBe(START_MS + 43_200_000)
})

test('moves at the same time run one after another', async () => {
  const clock = new TestClock()
  await clock.moveTo(START_MS, settle)
  const seen: number[] = []
  const each = (): void => {
    seen.push(clock.nowMs() - START_MS)
    clock.schedule(1000, each)
  }
  clock.schedule(1000, each)
  await Promise.all([clock.moveTo(START_MS + 2000, settle), clock.moveTo(START_MS + 4000, settle)])
  expect(seen).toEqual([1000, 2000, 3000, 4000])
})
