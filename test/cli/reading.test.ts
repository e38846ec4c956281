import { expect, test } from 'vitest'
import { progressLine } from '../../src/cli/reading.ts'

const MIB = 1024 ** 2
const at = (mib: number) => ({ bytes: mib * MIB, records: mib * 1000 })

test('the first line has no speed: how long its bytes took is not known', () => {
  expect(progressLine(at(4), 42 * MIB, { bytes: 4 * MIB, passedMs: 0 })).toBe('reading 10 %: 4000 records, 4 MiB')
  expect(progressLine(at(4), 42 * MIB, { bytes: 0, passedMs: 0.002 })).toBe('reading 10 %: 4000 records, 4 MiB')
})

test('the speed is that of what came since the first line, and so is the time that is left', () => {
  const since = { bytes: 4 * MIB, passedMs: 2000 }
  expect(progressLine(at(24), 644 * MIB, since)).toBe('reading 4 %: 24000 records, 24 MiB, 10.0 MiB/s, 1m 2s left')
  expect(progressLine(at(24), undefined, since)).toBe('reading: 24000 records, 24 MiB, 10.0 MiB/s')
  expect(progressLine(at(24), 24 * MIB, since)).toBe('reading 100 %: 24000 records, 24 MiB, 10.0 MiB/s')
})
