import { expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { killLoop } from './kill-loop.ts'

test('three kills: nothing acknowledged is lost, nothing is torn or comes back', async () => {
  const random = seededRandom(11)
  const { cycles, acknowledged, faults } = await killLoop({ cycles: 3, writers: 8, random: () => random.next() })
  expect(faults).toEqual([])
  expect(cycles).toBe(3)
  expect(acknowledged).toBeGreaterThan(50)
})
