// @module-tag slow
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { present, seededRandom } from '../../src/base/index.ts'
import { killLoop } from './kill-loop.ts'

test('kills while nine write: nothing acknowledged is lost, stale, torn or comes back', async () => {
  const random = seededRandom(11)
  const report = await killLoop({ cycles: 3, writers: 9, random: () => random.next(), cyclesPerFile: 2 })
  expect(report.faults).toEqual([])
  expect(report.cycles).toBe(3)
  expect(report.acknowledged).toBeGreaterThan(9)
  expect(report.inFlight).toBeGreaterThan(report.cycles)
})

const PARTS = ['', '-wal', '-shm']

test('the check finds what an older copy of the file has lost', async () => {
  const random = seededRandom(12)
  const { faults } = await killLoop({
    cycles: 3,
    writers: 9,
    random: () => random.next(),
    beforeStart: (path, cycle) => {
      for (const part of PARTS) {
        if (cycle === 1 && existsSync(path + part)) copyFileSync(path + part, `${path}.kept${part}`)
        if (cycle !== 2) continue
        rmSync(path + part, { force: true })
        if (existsSync(`${path}.kept${part}`)) copyFileSync(`${path}.kept${part}`, path + part)
      }
    },
  })
  const sorts = new Set(faults.map((fault) => fault.split(':', 1)[0]))
  expect([...sorts].filter((sort) => ['lost', 'stale', 'resurrected'].includes(present(sort)))).not.toEqual([])
  expect(sorts).toContain('audit')
})
