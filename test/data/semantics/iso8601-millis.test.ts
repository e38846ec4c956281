import { describe, expect, test } from 'vitest'
import { compileTest, Instant, isIso8601Millis } from '../../../src/data/index.ts'

describe('times in UTC with milliseconds', () => {
  test.each([
    ['2026-01-02T03:04:05.678Z', true],
    ['2026-01-02T03:04:05.000Z', true],
    ['2026-01-02T03:04:05Z', false],
    ['2026-01-02T03:04:05.6789Z', false],
    ['2026-01-02T03:04:05.678', false],
    ['2026-01-02 03:04:05.678Z', false],
    ['2026-01-02T03:04:05+00:00', false],
    ['2026-02-30T03:04:05.678Z', false],
    ['1600-01-02T03:04:05.678Z', false],
    ['2400-01-02T03:04:05.678Z', false],
    ['', false],
  ])('%j: %s', (text, is) => {
    expect(isIso8601Millis(text)).toBe(is)
    expect(compileTest({ kind: 'named', name: 'value-type', args: ['iso8601'] })(text)).toBe(is)
    if (text !== '') expect(compileTest({ kind: 'named', name: 'value-type', args: ['string'] })(text)).toBe(!is)
  })

  test('a time is one whatever its fraction', () => {
    expect(compileTest({ kind: 'named', name: 'value-type', args: ['iso8601'] })(new Instant(1n))).toBe(true)
  })
})
