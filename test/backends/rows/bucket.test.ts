import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketed } from '../../../src/backends/rows/bucket.ts'
import { parseRfc3339 } from '../../../src/base/index.ts'
import {
  bucketValue,
  float,
  groupKeyText,
  Instant,
  integer,
  JsonText,
  toText,
  type Bucket,
  type Value,
} from '../../../src/data/index.ts'

const EDGE = 2n ** 53n

const nearEdge = fc
  .bigInt({ min: -2000n, max: 2000n })
  .chain((rest) => fc.constantFrom(rest, EDGE + rest, -EDGE + rest))
const decimal = fc
  .tuple(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([digits, places]) => float(Number(`${digits}e-${places}`)))
const number = fc.oneof(
  nearEdge.map(integer),
  nearEdge.map(Number),
  decimal,
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).map(integer),
  fc.double().map(float),
)
/**
 * Zone transitions of several kinds: the end of local mean time, a minute past midnight, by a whole day, by an hour.
 */
const changes = [
  ['Europe/Berlin', '1893-03-31T23:06:32Z'],
  ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
  ['America/St_Johns', '2005-10-30T02:31:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Asia/Kolkata', '1941-10-01T00:00:00Z'],
] as const
const DAY_NS = 86_400_000_000_000n
const timeNs = fc.oneof(
  fc
    .tuple(fc.constantFrom(...changes), fc.bigInt({ min: -DAY_NS, max: DAY_NS }))
    .map(([[, text], rest]) => (parseRfc3339(text) ?? 0n) + rest),
  fc.bigInt({ min: 1_767_225_600_000_000_000n, max: 1_798_761_600_000_000_000n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
)
const value: fc.Arbitrary<Value> = fc.oneof(
  number,
  number.map(String),
  timeNs.map((ns) => new Instant(ns)),
  fc.ipV4(),
  decimal.map((size) => `${size}ms`),
  fc.constantFrom('', 'abc', '-', '1h5m', '2026-03-29T01:59:59.999999999Z', null, true, false),
  fc.constantFrom<Value>(
    'true',
    '5',
    5,
    '5.0',
    '-0',
    '+5',
    '5s',
    '1e400',
    'nan',
    NaN,
    Infinity,
    new JsonText('[1]'),
    '[1]',
  ),
  fc.constantFrom<Value>(2 ** 63, 2n ** 63n, String(2 ** 63), 1e20, 10n ** 20n, 1e300, '9223372036854775808.0'),
)

const step = fc.oneof(
  fc.constantFrom(0.02, 0.1, 1, 2.5, 7, 10, 100, 256, 3600e9, 2 ** 52, 1e300),
  decimal.map(Math.abs),
  nearEdge.map(Number),
)
const offset = fc.oneof(fc.constantFrom(0, 7, -7, 0.3, -30.3, 2 ** 53), decimal, nearEdge.map(Number))
const widthNs = fc.constantFrom(1n, 60n, 1_000_000_000n, 3_600_000_000_000n, 86_400_000_000_000n)
const offsetNs = fc.constantFrom(0n, 1n, -7n, 7_200_000_000_000n, -10_800_000_000_000n)
const zone = fc.constantFrom(undefined, ...changes.map(([name]) => name))

const numbers: fc.Arbitrary<Bucket> = fc.record({ kind: fc.constant('number' as const), step, offset })
const times: fc.Arbitrary<Bucket> = fc.record({ kind: fc.constant('time' as const), widthNs, offsetNs, zone })
const calendar: fc.Arbitrary<Bucket> = fc.record({
  kind: fc.constant('calendar' as const),
  unit: fc.constantFrom('week', 'month', 'year'),
  offsetNs,
  zone,
})
const ipv4: fc.Arbitrary<Bucket> = fc.record({
  kind: fc.constant('ipv4' as const),
  bits: fc.integer({ min: 0, max: 32 }),
})

test('buckets that print alike are one group', () => {
  fc.assert(
    fc.property(value, value, fc.oneof(numbers, times, calendar, ipv4), (a, b, bucket) => {
      const [left, right] = [bucketValue(a, bucket), bucketValue(b, bucket)]
      if (toText(left) === toText(right)) expect(groupKeyText(left)).toBe(groupKeyText(right))
    }),
    { numRuns: 3000 },
  )
})

describe("the model's buckets are those of the backends", () => {
  test.each([
    ['numbers', numbers],
    ['times', times],
    ['calendar units', calendar],
    ['networks', ipv4],
  ])('%s', (_, buckets) => {
    fc.assert(
      fc.property(value, buckets, (given, bucket) => {
        expect(bucketValue(given, bucket)).toEqual(bucketed(given, bucket))
      }),
      { numRuns: 1500 },
    )
  })
})
