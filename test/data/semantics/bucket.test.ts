import { describe, expect, test } from 'vitest'
import { parseRfc3339 } from '../../../src/base/index.ts'
import { bucketValue, Instant, JsonText, toText, type Bucket, type Value } from '../../../src/data/index.ts'

const at = (text: string): Instant => new Instant(parseRfc3339(text) ?? 0n)
const number = (step: number, offset = 0): Bucket => ({ kind: 'number', step, offset })
const HOUR = 3_600_000_000_000n
const time = (widthNs: bigint, offsetNs = 0n, zone?: string): Bucket => ({ kind: 'time', widthNs, offsetNs, zone })
const unit = (u: 'week' | 'month' | 'year', offsetNs = 0n, zone?: string): Bucket => ({
  kind: 'calendar',
  unit: u,
  offsetNs,
  zone,
})

describe('number buckets', () => {
  test.each<[Value, number, number, Value]>([
    [0, 100, 0, 0],
    [-1, 100, 0, -100],
    [1, 100, -10, -90],
    [120, 100, 30, 70],
    [130, 100, 30.3, 69.7],
    [1.25, 0.1, 0, 1.2],
    [0.3, 0.1, 0, 0.3],
    [-5e-324, 1, -7, -1],
    ['0.123', 0.02, 0, 0.12],
    ['130.4', 100, -30.3, 130.3],
    [2n ** 60n + 7n, 10, 0, 2n ** 60n + 4n],
    // The floats next to 2^53 are integers, and so are their buckets.
    [-(2 ** 53) - 4, 100, 7, -9_007_199_254_741_007n],
    [2 ** 53 - 1, 2 ** 52, -(2 ** 52) + 3, 2 ** 53 - 3],
    [-(2 ** 53) + 1, 100, 0, -9_007_199_254_741_000n],
    [2 ** 53, 1, 0, 2 ** 53],
    [NaN, 10, 0, NaN],
    ['abc', 10, 0, 'abc'],
    [null, 10, 0, null],
    // Values with the same string form are equal, whatever their type.
    [true, 10, 0, 'true'],
    ['true', 10, 0, 'true'],
    [new JsonText('[1]'), 10, 0, '[1]'],
    ['5', 1, 0, 5],
    ['5.0', 1, 0, 5],
    ['0x10', 10, 0, 10],
    ['+5', 1, 0, '+5'],
    ['-0', 1, 0, 0],
    ['0.5', 0.1, 0, 0.5],
    ['5s', 3600e9, 0, 0],
    ['-1ns', 3600e9, 0, '-1h'],
    ['1e400', 10, 0, '1e400'],
    ['inf', 10, 0, 'inf'],
    [Infinity, 10, 0, Infinity],
    ['+Inf', 10, 0, Infinity],
    ['-Inf', 10, 0, -Infinity],
    ['NaN', 10, 0, NaN],
    [1.152921504606847e18, 1000, 0, 1152921504606847000n],
    ['1.152921504606847e18', 1000, 0, 1152921504606847000n],
    [1152921504606847000n, 1000, 0, 1152921504606847000n],
    [1e300, 1, 0, 10n ** 300n],
    [1e20, 1, 0, 10n ** 20n],
    ['99999999999999999999999', 0, 0, 1e23],
    [99999999999999999999999n, 0, 0, 99999999999999999999999n],
    ['1.2.3.77', 256, 0, '1.2.3.0'],
    ['1h5m', 3600e9, 0, '1h'],
    [7, 0, 0, 7],
  ])('%s by %d offset %d', (value, step, offset, bucketed) => {
    expect(bucketValue(value, number(step, offset))).toEqual(bucketed)
  })
})

describe('time buckets', () => {
  test.each<[string, Bucket, string]>([
    ['2025-01-20T10:20:30.12345Z', time(HOUR), '2025-01-20T10:00:00Z'],
    ['2025-01-20T10:20:30.1234Z', time(24n * HOUR, 2n * HOUR), '2025-01-19T22:00:00Z'],
    ['2025-01-20T10:20:30.1234Z', time(24n * HOUR, -2n * HOUR), '2025-01-20T02:00:00Z'],
    ['1969-12-31T23:59:59Z', time(HOUR), '1969-12-31T23:00:00Z'],
    ['2025-01-21T10:20:30Z', unit('week'), '2025-01-20T00:00:00Z'],
    ['2025-01-19T23:59:59.999999999Z', unit('week', -3n * HOUR), '2025-01-13T03:00:00Z'],
    ['2025-01-31T23:20:30Z', unit('month', 4n * HOUR), '2025-01-31T20:00:00Z'],
    ['2024-12-31T23:20:30Z', unit('year'), '2024-01-01T00:00:00Z'],
    ['1968-02-29T00:00:00Z', unit('month'), '1968-02-01T00:00:00Z'],
    // Berlin: clocks go from 02:00 to 03:00 on 2026-03-29 and from 03:00 to 02:00 on 2026-10-25.
    ['2026-03-29T12:00:00Z', time(24n * HOUR, 0n, 'Europe/Berlin'), '2026-03-28T23:00:00Z'],
    ['2026-03-30T12:00:00Z', time(24n * HOUR, 0n, 'Europe/Berlin'), '2026-03-29T22:00:00Z'],
    ['2026-03-29T01:30:00Z', time(HOUR, 0n, 'Europe/Berlin'), '2026-03-29T01:00:00Z'],
    ['2026-10-25T00:30:00Z', time(HOUR, 0n, 'Europe/Berlin'), '2026-10-25T00:00:00Z'],
    ['2026-10-25T01:30:00Z', time(HOUR, 0n, 'Europe/Berlin'), '2026-10-25T01:00:00Z'],
    ['2026-10-25T12:00:00Z', time(24n * HOUR, 0n, 'Europe/Berlin'), '2026-10-24T22:00:00Z'],
    ['2026-07-15T00:00:00Z', unit('month', 0n, 'Europe/Berlin'), '2026-06-30T22:00:00Z'],
    ['2026-01-01T02:00:00Z', unit('year', 0n, 'America/New_York'), '2025-01-01T05:00:00Z'],
    ['2026-06-15T20:00:00Z', time(24n * HOUR, 0n, 'Asia/Kolkata'), '2026-06-15T18:30:00Z'],
    // The 7-second bucket lies in the hour that New York skipped, so it begins at the transition.
    ['2026-03-08T07:00:00.002999999Z', time(7_000_000_000n, 0n, 'America/New_York'), '2026-03-08T07:00:00Z'],
    // São Paulo skipped midnight on 2018-11-04: that day began at 01:00.
    ['2018-11-04T12:00:00Z', time(24n * HOUR, 0n, 'America/Sao_Paulo'), '2018-11-04T03:00:00Z'],
  ])('%s', (text, bucket, bucketed) => {
    expect(toText(bucketValue(at(text), bucket))).toBe(bucketed)
    expect(toText(bucketValue(text, bucket))).toBe(bucketed)
  })

  test('values without a time are bucketed as numbers and addresses, or unchanged', () => {
    expect(bucketValue('abc', unit('week'))).toBe('abc')
    expect(bucketValue(90, time(60n))).toBe(60)
    expect(bucketValue('10.1.2.3', { kind: 'ipv4', bits: 24 })).toBe('10.1.2.0')
    expect(bucketValue('10.1.2', { kind: 'ipv4', bits: 24 })).toBe('10.1.2')
  })
})
