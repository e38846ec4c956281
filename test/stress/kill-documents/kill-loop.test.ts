// @module-tag slow
import { cpSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import { rounds } from '../run.ts'
import { killLoop } from './kill-loop.ts'

test('kills while nine write: nothing acknowledged is lost, stale, torn or comes back', async () => {
  const random = seededRandom(11)
  const report = await killLoop({ more: rounds(3), writers: 9, random: () => random.next(), cyclesPerFile: 2 })
  expect(report.faults).toEqual([])
  expect(report.cycles).toBe(3)
  expect(report.acknowledged).toBeGreaterThan(9)
  expect(report.inFlight).toBeGreaterThan(report.cycles)
})

test('the check finds what an older copy of the folder has lost', async () => {
  const random = seededRandom(12)
  const { faults } = await killLoop({
    more: rounds(3),
    writers: 9,
    random: () => random.next(),
    beforeStart: (path, cycle) => {
      if (cycle === 1) cpSync(path, `${path}.kept`, { recursive: true })
      if (cycle !== 2) return
      rmSync(path, { recursive: true })
      cpSync(`${path}.kept`, path, { recursive: true })
    },
  })
  const sorts = new Set(faults.map((fault) => fault.split(':', 1)[0]))
  expect([...sorts].filter((sort) => ['lost', 'stale', 'resurrected'].includes(present(sort)))).not.toEqual([])
  expect(sorts).toContain('audit')
})
