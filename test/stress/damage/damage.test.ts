// @module-tag slow
import { expect, test } from 'vitest'
import { rounds } from '../run.ts'
import { damages } from './damages.ts'
import { conditions, damageCopies, files } from './copies.ts'

test('every damage of every file is refused by its name, or opens whole and is reported', async () => {
  const report = await damageCopies({ more: rounds(conditions.length * damages.size * files.length), seed: 20 })
  expect(report.faults).toEqual([])
  const countOf = (isWanted: (key: string) => boolean): number =>
    [...report.counts].reduce((sum, [key, count]) => (isWanted(key) ? sum + count : sum), 0)
  // The server rebuilds damaged dictionaries from the segments, so it still answers completely.
  const isMended = (key: string): boolean => key.includes(', logs.dictionaries: ')
  const refused = countOf((key) => key.endsWith(': refused') && !isMended(key))
  expect(refused).toBeGreaterThan(countOf((key) => !isMended(key)) * 0.8)
  const mended = countOf((key) => key.endsWith(': whole, and said') && isMended(key))
  expect(mended).toBeGreaterThan(countOf(isMended) * 0.8)
})
