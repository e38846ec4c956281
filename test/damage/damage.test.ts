// @module-tag slow
import { expect, test } from 'vitest'
import { damages } from './damages.ts'
import { conditions, damageCopies, files } from './copies.ts'

test('every damage of every file is refused by its name, or opens whole and is told', async () => {
  const report = await damageCopies({ copies: conditions.length * damages.size * files.length, seed: 20 })
  expect(report.faults).toEqual([])
  const refused = [...report.counts].filter(([key]) => key.endsWith(': refused')).map(([, count]) => count)
  expect(refused.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(report.copies * 0.8)
})
