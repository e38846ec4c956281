import { describe, expect, test } from 'vitest'
import { MAX_NS, SluiceError } from '../../src/base/index.ts'
import { FromNow, atNow, decode, fieldNamesBody, metricQuery } from '../../src/wire/index.ts'

const NOW = 1_767_225_600_000_000_000n
const MINUTE = 60_000_000_000n

const started = (start: string): bigint => {
  const body = atNow(decode(fieldNamesBody, { start, end: '2262-01-01' }), NOW)
  return body.start
}

test.each<[string, bigint]>([
  ['now', NOW],
  [' Now ', NOW],
  ['-1h', NOW - 60n * MINUTE],
  ['now-15m', NOW - 15n * MINUTE],
  ['NOW-15m', NOW - 15n * MINUTE],
  ['+1m', NOW + MINUTE],
  ['now+1h30m', NOW + 90n * MINUTE],
  ['-0', NOW],
  ['-1.5m', NOW - 90_000_000_000n],
  ['2026-01-01', NOW],
])('%j is a time', (text, expected) => {
  expect(started(text)).toBe(expected)
})

describe('what is not', () => {
  test.each(['now-', '-', '1h', 'now 1h', '-1h-1h', '--1h', 'now--1h', '-h', 'now-1', 'now-1month', 'yesterday', ''])(
    '%j',
    (text) => {
      expect(() => started(text)).toThrow(SluiceError)
    },
  )

  test('says the forms that there are', () => {
    let notes: readonly string[] = []
    try {
      started('now-1month')
    } catch (error) {
      notes = (error as SluiceError).diagnostics[0]?.notes ?? []
    }
    expect(notes.join(' ')).toContain('`now`, `-1h`, `now-15m`, `now+1d`')
  })
})

describe('ranges', () => {
  test.each([
    ['now', '-1h'],
    ['2026-01-02', '2026-01-01'],
  ])('%s to %s is refused when it is read', (start, end) => {
    expect(() => decode(fieldNamesBody, { start, end })).toThrow('before')
  })

  test.each([
    ['now', '2025-12-31'],
    ['2026-01-02', 'now'],
  ])('%s to %s is refused when the time is known', (start, end) => {
    const body = decode(fieldNamesBody, { start, end })
    expect(() => atNow(body, NOW)).toThrow(SluiceError)
  })

  test('both ends count from one time, in members of either case', () => {
    const body = decode(metricQuery, { Promql: 'up', Start: '-1h', End: 'now' })
    expect(body.Start).toBeInstanceOf(FromNow)
    expect(atNow(body, NOW)).toMatchObject({ Start: NOW - 60n * MINUTE, End: NOW })
  })

  test('a time after the last is the last', () => {
    expect(atNow(decode(fieldNamesBody, { start: 'now', end: '+9999999y' }), NOW).end).toBe(MAX_NS)
  })

  test('a body without times stays as it is', () => {
    expect(atNow(decode(metricQuery, { Promql: 'up' }), NOW)).toEqual({ Promql: 'up' })
  })
})
