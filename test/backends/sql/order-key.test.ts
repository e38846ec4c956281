import { describe, expect, test } from 'vitest'
import { groupOrderKey, sortKey } from '../../../src/backends/sql/host/order-key.ts'
import { compareGroupKeys, compareValues, Instant, JsonText, toText, type Value } from '../../../src/data/index.ts'

/** Values near every boundary of the key encoding: sign, magnitude, integers beyond 2^53, Unicode planes. */
const values: readonly Value[] = [
  null,
  '',
  0,
  1,
  -1,
  0.5,
  -0.5,
  5e-324,
  -5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Infinity,
  -Infinity,
  NaN,
  2 ** 53 - 1,
  2 ** 53,
  2n ** 53n + 1n,
  2 ** 53 + 2,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
  -(2n ** 63n),
  '5',
  '5.0',
  '9007199254740993',
  '1e400',
  'nan',
  'inf',
  true,
  false,
  'true',
  new JsonText('[1]'),
  '[1]',
  new Instant(0n),
  new Instant(-1n),
  new Instant(2n ** 62n),
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999999999Z',
  '1970-01-01T00:00:00',
  'a',
  'a\0',
  'ab',
  'b',
  '\x7f',
  '\x80',
  'ж',
  '\u07ff',
  '\u0800',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{1f600}',
  '\u{10ffff}',
]

/** Strings in ascending order of code points. */
const climbing: readonly string[] = [
  'A\ud800',
  'a',
  'a\0',
  'a\x7f',
  'a\x7f\ud800',
  'a\u07ff\udfff',
  'a\ud7ff',
  'a\ud800',
  'a\ud800a',
  'a\ud800\ue000',
  'a\udbff',
  'a\udc00',
  'a\udc00\ud800',
  'a\udfff',
  'a\ue000',
  'a\ue000\ud800',
  'a\uffff',
  'a\uffff\udfff',
  'a\u{10000}',
  'a\u{10000}\ud800',
  'a\u{10ffff}',
  'a\u{10ffff}\udc00',
  'b\ud800',
]

function order(a: Buffer | null, b: Buffer | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return Buffer.compare(a, b)
}

describe('keys that the database orders by their bytes', () => {
  test('sort as the values do', () => {
    for (const a of values) {
      for (const b of values) {
        const text = escape(`${toText(a)} ${toText(b)}`)
        expect(order(sortKey(a), sortKey(b)), text).toBe(Math.sign(compareValues(a, b)))
      }
    }
  })

  test('sort by code points, halves of surrogate pairs too', () => {
    for (const key of [sortKey, groupOrderKey]) {
      for (const [i, a] of climbing.entries()) {
        for (const [j, b] of climbing.entries())
          expect(order(key(a), key(b)), escape(`${a} ${b}`)).toBe(Math.sign(i - j))
      }
    }
  })

  test('of groups sort as groups do, and tie only for one group', () => {
    for (const a of values) {
      for (const b of values) {
        const text = escape(`${toText(a)} ${toText(b)}`)
        expect(order(groupOrderKey(a), groupOrderKey(b)), text).toBe(Math.sign(compareGroupKeys(a, b)))
      }
    }
  })
})
