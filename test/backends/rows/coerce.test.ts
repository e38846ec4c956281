import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  durationOf,
  durationText,
  ipv4Of,
  ipv4Text,
  jsonOf,
  numberOf,
  rangeNumberOf,
  textNumberOf,
  textOf,
  timeOf,
} from '../../../src/backends/rows/coerce.ts'
import { formatDurationNs, parseDurationNs, parseRfc3339 } from '../../../src/base/index.ts'
import {
  formatIpv4,
  Instant,
  JsonText,
  parseIpv4,
  parseNumber,
  toNumber,
  toRangeNumber,
  toText,
  toTimeNs,
  valueToJson,
  type Value,
} from '../../../src/data/index.ts'

const time = new Instant(1_767_323_045_670_000_000n)

describe("the model's own coercions", () => {
  test.each<[string, number | bigint | undefined]>([
    ['', undefined],
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    ['1_000', 1000],
    ['1__0', undefined],
    ['-1.234_567', -1.234567],
    ['1_0.2_5e1', 102.5],
    ['.2_5', 0.25],
    ['1.5_', undefined],
    ['1.2_5s', 1_250_000_000],
    ['1.5_0KiB', 1536],
    ['5us', undefined],
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740992', 2 ** 53],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['18446744073709551616', 2 ** 64],
    ['-9223372036854775809', -(2 ** 63)],
    ['0x_ff', 255],
    ['-0b101', -5],
    ['1.5e3', 1500],
    ['.5', 0.5],
    ['5.', 5],
    ['1e999', undefined],
    ['-Inf', -Infinity],
    ['+nan', undefined],
    ['1m30s', 90_000_000_000],
    ['1.5h', 5_400_000_000_000],
    ['-1ms', -1_000_000],
    ['300y', 2n ** 63n - 1n],
    ['1.5KiB', 1536],
    ['1MiB500KB', 1_548_576],
    ['0B5', undefined],
    ['1KB5', undefined],
    ['5 KB', undefined],
    ['1.2.3.4', undefined],
  ])('%j is the number %s', (text, number) => {
    expect(textNumberOf(text)).toBe(number)
    expect(parseNumber(text)).toBe(number)
  })

  test.each<[Value, number | bigint | undefined, number | bigint | undefined]>([
    [NaN, undefined, undefined],
    ['NaN', undefined, undefined],
    [true, undefined, undefined],
    [null, undefined, undefined],
    [new JsonText('[1]'), undefined, undefined],
    [new JsonText('1.50'), 1.5, 1.5],
    [new JsonText('-0'), 0, 0],
    [new JsonText('1e3'), 1000, 1000],
    [new JsonText('12345678901234567890.0'), 12345678901234567000, 12345678901234567000],
    [time, undefined, 1_767_323_045_670_000_000n],
    ['2026-01-02T03:04:05.67Z', undefined, 1_767_323_045_670_000_000n],
    ['10.0.0.1', undefined, 167_772_161],
    [2n ** 60n + 1n, 2n ** 60n + 1n, 2n ** 60n + 1n],
  ])('%s counts as %s and lies in ranges as %s', (value, number, inRange) => {
    expect([numberOf(value), rangeNumberOf(value)]).toEqual([number, inRange])
    expect([toNumber(value), toRangeNumber(value)]).toEqual([number, inRange])
  })

  test.each<[Value, string, string]>([
    [NaN, 'NaN', 'null'],
    [-Infinity, '-Inf', 'null'],
    [-0, '0', '0'],
    [1e21, '1000000000000000000000', '1e+21'],
    [1.5e-7, '0.00000015', '1.5e-7'],
    [123.25, '123.25', '123.25'],
    [2n ** 63n, '9223372036854775808', '9223372036854775808'],
    [time, '2026-01-02T03:04:05.67Z', '"2026-01-02T03:04:05.670000000Z"'],
    [new Instant(-1n), '1969-12-31T23:59:59.999999999Z', '"1969-12-31T23:59:59.999999999Z"'],
    [false, 'false', 'false'],
    [null, '', 'null'],
    ['\ud800"', '\ud800"', '"\\ud800\\""'],
    [new JsonText('{"a":[1]}'), '{"a":[1]}', '{"a":[1]}'],
  ])('%s is the text %j, in JSON %s', (value, text, json) => {
    expect([textOf(value), jsonOf(value)]).toEqual([text, json])
    expect([toText(value), valueToJson(value)]).toEqual([text, json])
  })

  test.each<[string, string | undefined]>([
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['2023-02-29T00:00:00Z', undefined],
    ['2026-01-02 03:04:60.1234567899+01:00', '2026-01-02T02:05:00.123456789Z'],
    ['2026-01-02t03:04:05z', '2026-01-02T03:04:05Z'],
    ['0001-01-01T00:00:00Z', '1677-09-21T00:12:43.145224192Z'],
    ['2026-01-02T24:00:00Z', undefined],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
    ['2026-01-02 03:04:05.5+0130', '2026-01-02T01:34:05.5Z'],
    ['2026-01-02T03:04:05-02', '2026-01-02T05:04:05Z'],
    ['2026-01-02 03:04:05,678', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02 03:04:05,67', undefined],
    ['2026-01-02 03:04:05+1:00', undefined],
    ['2026-01-02 03:04:05+02:0', undefined],
    ['2026-01-02 03:04:05+2400', undefined],
    ['2026-01-02 03:04:05 ', undefined],
    ['2026-01-02 03:04', undefined],
    ['2026-01-02', undefined],
    ['2026-01-02T03:04:05.Z', undefined],
  ])('%j is the time %s', (text, expected) => {
    const ns = timeOf(text)
    expect(ns === undefined ? undefined : textOf(new Instant(ns))).toBe(expected)
    expect(toTimeNs(text)).toBe(ns)
  })

  test('they agree with the coercions of the backends on random texts and numbers', () => {
    // Fragments of every number, duration and time syntax.
    const tokens = `0 7 19 00 9007199254740993 18446744073709551616 _ . - + e E5 0x f b 0b1 0o7 inf NaN nity ns µs ms s m h d w y K KiB B MB 2026-01-02 T ~ 03:04:05 23:59:60 Z +01:30 -23:59 10.0. 255 256 1.2.3.4`
    const token = fc.constantFrom(...tokens.split(' ').map((part) => part.replace('~', ' ')))
    const text = fc.array(token, { maxLength: 5 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (value) => {
        expect(textNumberOf(value)).toBe(parseNumber(value))
        expect(rangeNumberOf(value)).toBe(toRangeNumber(value))
        expect(timeOf(value)).toBe(parseRfc3339(value))
        expect(durationOf(value)).toBe(parseDurationNs(value))
        expect(ipv4Of(value)).toBe(parseIpv4(value))
      }),
      { numRuns: 3000 },
    )
    const value = fc.oneof(fc.double(), fc.bigInt(-(2n ** 70n), 2n ** 70n))
    fc.assert(
      fc.property(value, fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.nat(2 ** 32 - 1), (number, ns, address) => {
        expect([textOf(number), jsonOf(number)]).toEqual([toText(number), valueToJson(number)])
        expect([textOf(new Instant(ns)), durationText(ns)]).toEqual([toText(new Instant(ns)), formatDurationNs(ns)])
        expect(ipv4Text(address)).toBe(formatIpv4(address))
      }),
      { numRuns: 1000 },
    )
  })
})
