// @module-tag slow
import { expect, test } from 'vitest'
import { rounds } from '../run.ts'
import { sigtermLoop } from './sigterm.ts'
import { soak } from './soak.ts'

test('mixed load with kills: everything acknowledged is there, every status has a reason', async () => {
  const { faults, statuses, kills, acknowledgedRows } = await soak({
    seconds: 6,
    seed: 3,
    workers: 1,
    memory: '1GiB',
    firstRows: 2000,
  })
  expect(faults).toEqual([])
  expect(statuses.unexplained).toEqual([])
  expect(kills).toBe(2)
  expect(acknowledgedRows).toBeGreaterThan(2000)
  expect(statuses.toString()).toMatch(/light\s+\d+x 200/)
})

test('restarts under load: what was accepted is answered', async () => {
  const report = await sigtermLoop({ more: rounds(2), seed: 4, clients: 8 })
  expect(report.faults).toEqual([])
  expect(report.answered).toBeGreaterThan(8)
  expect(report.inFlight).toBeGreaterThan(0)
})
