import { describe, expect, test } from 'vitest'
import { formatDurationNs, parseDurationNs } from '../../../src/base/index.ts'
import {
  Instant,
  JsonText,
  parseBytes,
  parseNumber,
  toNumber,
  toRangeNumber,
  toTimeNs,
  type Value,
} from '../../../src/data/index.ts'

describe('number texts', () => {
  test.each<[string, number | bigint | undefined]>([
    ['0', 0],
    ['-0', 0],
    ['42', 42],
    ['-1.5', -1.5],
    ['+7', 7],
    ['.5', 0.5],
    ['5.', 5],
    ['1_234_567', 1234567],
    ['-1.234_567', -1.234567],
    ['1_0.2_5e1', 102.5],
    ['.2_5', 0.25],
    ['1.5_0KiB', 1536],
    ['1._5', undefined],
    ['1_.5', undefined],
    ['1.5_', undefined],
    ['1.5__0', undefined],
    ['1__2', undefined],
    ['_1', undefined],
    ['0x1F', 31],
    ['-0b101', -5],
    ['0o17', 15],
    ['017', 17],
    ['1e3', 1000],
    ['1.5E-3', 0.0015],
    ['1e308', 1e308],
    ['1e309', undefined],
    ['-1e999', undefined],
    [`1${'0'.repeat(309)}`, undefined],
    [`0x${'f'.repeat(300)}`, undefined],
    ['inf', Infinity],
    ['-Inf', -Infinity],
    ['Infinity', Infinity],
    ['NaN', NaN],
    ['-nan', undefined],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['18446744073709551616', 18446744073709551616],
    ['1s', 1e9],
    ['1h5m', 3900e9],
    ['-2ms', -2e6],
    ['1KB', 1000],
    ['1.5KiB', 1536],
    ['1MiB500KiB', 1560576],
    ['5m', 300e9],
    ['5M', 5e6],
    ['', undefined],
    ['-', undefined],
    ['.', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4', undefined],
    ['12a', undefined],
    ['a12', undefined],
    ['1 ', undefined],
    [' 1', undefined],
    ['true', undefined],
    ['2026-01-02', undefined],
    ['٣', undefined],
    ['info', undefined],
    ['none', undefined],
  ])('%j', (text, value) => {
    expect(parseNumber(text)).toEqual(value)
  })

  test.each<[string, bigint | undefined]>([
    ['0', 0n],
    ['1', undefined],
    ['1.5ms', 1_500_000n],
    ['1µs', 1000n],
    ['1us', undefined],
    ['1.2_5s', 1_250_000_000n],
    ['1._5s', undefined],
    ['1w2d', 777_600_000_000_000n],
    ['2.5y', 78_840_000_000_000_000n],
    ['-1h5m3s', -3_903_000_000_000n],
    ['1h-5m', undefined],
    ['1H', undefined],
    ['999999y', 9223372036854775807n],
    ['1.5', undefined],
    ['s', undefined],
    ['1s5', undefined],
  ])('duration %j', (text, ns) => {
    expect(parseDurationNs(text)).toBe(ns)
  })

  test.each<[bigint, string]>([
    [0n, '0'],
    [1n, '1ns'],
    [123456789n, '123ms456µs789ns'],
    [3_723_500_000_000n, '1h2m3.5s'],
    [-90_000_000_000n, '-1m30s'],
    [694_861_000_000_001n, '1w1d1h1m1.000000001s'],
  ])('printed duration %s', (ns, text) => {
    expect(formatDurationNs(ns)).toBe(text)
    expect(parseDurationNs(text)).toBe(ns)
  })

  test.each<[string, number | undefined]>([
    ['10', 10],
    ['10B', 10],
    ['1.5', undefined],
    ['1.5B', 1],
    ['1k', undefined],
    ['1TiB', 1024 ** 4],
    ['1KB5', undefined],
    ['-1K', -1000],
  ])('bytes %j', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes)
  })
})

describe('coercion', () => {
  const time = new Instant(1_767_322_801_000_000_000n)
  test.each<[Value, number | bigint | undefined, number | bigint | undefined, bigint | undefined]>([
    [null, undefined, undefined, undefined],
    ['', undefined, undefined, undefined],
    [true, undefined, undefined, undefined],
    [1.5, 1.5, 1.5, undefined],
    [NaN, undefined, undefined, undefined],
    ['NaN', undefined, undefined, undefined],
    [2n ** 60n, 2n ** 60n, 2n ** 60n, undefined],
    ['3s', 3e9, 3e9, undefined],
    ['1.2.3.4', undefined, 16909060, undefined],
    ['2026-01-02T03:00:01Z', undefined, 1_767_322_801_000_000_000n, time.ns],
    [time, undefined, 1_767_322_801_000_000_000n, time.ns],
    [new JsonText('[1]'), undefined, undefined, undefined],
  ])('%s', (value, number, rangeNumber, timeNs) => {
    expect(toNumber(value)).toEqual(number)
    expect(toRangeNumber(value)).toEqual(rangeNumber)
    expect(toTimeNs(value)).toEqual(timeNs)
  })
})
