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

test('half of a surrogate pair in a test never matches half of a character, in the model as in the backends', () => {
  const units = ['', 'a', '\ud835', '\udc9c', '-']
  const words = units.flatMap((a) => units.map((b) => a + b))
  const texts = words.flatMap((word) => units.map((unit) => word + unit))
  const tests = words.flatMap((text): ValueTest[] => [
    { kind: 'contains', text, isFolded: false },
    { kind: 'starts-with', text, isFolded: true },
    { kind: 'phrase', text, isFolded: true },
    { kind: 'phrase-prefix', text, isFolded: false },
    { kind: 'glob', parts: [text, ''], isFolded: true },
    { kind: 'glob', parts: ['', text], isFolded: false },
    { kind: 'glob', parts: ['', text, '\udc9c'], isFolded: false },
    { kind: 'sequence', phrases: ['\ud835', text], isFolded: false },
    { kind: 'contains-any', phrases: ['\udc9c', text], isFolded: false },
  ])
  const differences = tests.flatMap((wanted) =>
    texts.filter((text) => passes(text, wanted) !== compileTest(wanted)(text)).map((text) => ({ wanted, text })),
  )
  expect(differences).toEqual([])
  expect(compileTest({ kind: 'contains', text: '\udc9c', isFolded: false })('\u{1D49C}')).toBe(false)
  expect(compileTest({ kind: 'contains', text: '\udc9c', isFolded: false })('a\udc9c')).toBe(true)
  expect(compileTest({ kind: 'named', name: 'pattern-match', args: ['\ud835', 'any'] })('\u{1D49C}')).toBe(false)
})
