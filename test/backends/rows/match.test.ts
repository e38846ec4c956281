import { expect, test } from 'vitest'
import { passes } from '../../../src/backends/rows/match.ts'
import { compileTest, type ValueTest } from '../../../src/data/index.ts'

test('NaN equals every text that reads as NaN and lies in no range, in the model as in the indexes', () => {
  const equals = (value: string): ValueTest => ({ kind: 'equals', value, isFolded: false, isTyped: true })
  const range: ValueTest = { kind: 'range', min: -Infinity, max: Infinity, isMinIncluded: true, isMaxIncluded: true }
  for (const [wanted, expected] of [
    [equals('nan'), true],
    [equals('NaN'), true],
    [equals('1'), false],
    [range, false],
  ] as const) {
    expect(passes(Number.NaN, wanted)).toBe(expected)
    expect(compileTest(wanted)(Number.NaN)).toBe(expected)
  }
})
