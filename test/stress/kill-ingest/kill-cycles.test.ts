// @module-tag slow
import { expect, test } from 'vitest'
import { rounds } from '../run.ts'
import { killCycles } from './kill-cycles.ts'

test('kill -9 while twelve write: nothing acknowledged is lost, torn or doubled', async () => {
  const report = await killCycles({ more: rounds(3), seed: 7, writers: 12 })
  expect(report.faults).toEqual([])
  expect(report.cyclesInFlight).toBeGreaterThan(0)
  expect(report.acknowledgedRows).toBeGreaterThan(0)
  expect(report.acknowledgedSamples).toBeGreaterThan(0)
  // The number of sample files depends on how far the machine gets before each kill.
  expect(report.sampleFiles).toBeGreaterThan(0)
})

test('the check finds what a server without a data folder loses', async () => {
  const report = await killCycles({ more: rounds(1), seed: 8, writers: 2, keeps: false })
  expect(report.acknowledgedRows).toBeGreaterThan(0)
  expect(report.faults.length).toBeGreaterThan(0)
  expect(report.faults.every((fault) => fault.startsWith('lost:'))).toBe(true)
})
