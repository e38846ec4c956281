import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import {
  compareGroupKeys,
  compareSortKey,
  compareText,
  compareValues,
  groupKeyText,
  groupTupleText,
  Instant,
  JsonText,
  type Value,
} from '../../../src/data/index.ts'

const time = (text: string): Instant => new Instant(BigInt(Date.parse(text)) * 1_000_000n)

/** Each line is one rank. Its values are equal to each other and below those of the next line. */
const ladder: readonly (readonly Value[])[] = [
  [-Infinity, '-inf'],
  [-5, '-5', '-5.0'],
  [0, '0', '0x0'],
  [9, '9', '9.0', '9B'],
  [10, '10', '1e1'],
  [2 ** 53, '9007199254740992'],
  [9007199254740993n, '9007199254740993'],
  [1e18],
  [Infinity, 'inf'],
  [NaN],
  [time('2026-01-01T00:00:00Z'), '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
  [time('2026-01-02T00:00:00Z')],
  ['1.2.3.4'],
  ['2026-01-01'],
  ['NaN'],
  ['Zebra'],
  [new JsonText('[1]'), '[1]'],
  ['abc'],
  ['abcd'],
  [false, 'false'],
  [true, 'true'],
  ['\uffee'],
  ['\u{1F600}'],
  [null, ''],
]

const NAN_LINE = ladder.findIndex(([value]) => typeof value === 'number' && Number.isNaN(value))

describe('order', () => {
  test('texts stand by code point, halves of surrogate pairs too', () => {
    const units = ['', 'a', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000', '\uffff']
    const texts = units.flatMap((a) => units.flatMap((b) => units.map((c) => a + b + c)))
    const points = texts.map((text) => Array.from(text, (char) => char.codePointAt(0) ?? 0))
    const wrong: string[] = []
    for (const [i, a] of points.entries()) {
      for (const [j, b] of points.entries()) {
        const at = a.findIndex((point, place) => point !== b[place])
        const order = at === -1 ? a.length - b.length : at >= b.length ? 1 : present(a[at]) - present(b[at])
        if (Math.sign(compareText(present(texts[i]), present(texts[j]))) !== Math.sign(order))
          wrong.push(escape(`${texts[i]} ${texts[j]}`))
      }
    }
    expect(wrong).toEqual([])
  })

  test('values stand on a ladder of ranks', () => {
    for (const [i, left] of ladder.entries()) {
      for (const [j, right] of ladder.entries()) {
        for (const a of left) {
          for (const b of right) {
            expect([a, b, Math.sign(compareValues(a, b))]).toEqual([a, b, Math.sign(i - j)])
            const isEmptyInvolved = i === ladder.length - 1 || j === ladder.length - 1
            expect(Math.sign(compareSortKey(a, b, 'asc'))).toBe(Math.sign(i - j))
            // The first lines are numbers, ending with the line of NaN.
            const isOfNaN = Math.max(i, j) === NAN_LINE
            const order = isEmptyInvolved || isOfNaN ? i - j : j - i
            expect(Math.sign(compareSortKey(a, b, 'desc')) + 0).toBe(Math.sign(order) + 0)
          }
        }
      }
    }
  })

  test.each([
    ['a', 'b', -1],
    ['a', 'a', 0],
    ['b', 'abc', 1],
    ['', 'a', -1],
    ['\uffff', '\u{10000}', -1],
    ['\u{10000}', '\ue000', 1],
    ['\u{10000}', '\u{10001}', -1],
  ])('texts %j %j compare by code point', (a, b, order) => {
    expect(Math.sign(compareText(a, b))).toBe(order)
    expect(Math.sign(compareText(b, a)) + 0).toBe(-order + 0)
    expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(order)
  })

  test('group keys are the same for one class and text, and for all that is empty', () => {
    expect(groupKeyText(null)).toBe(groupKeyText(''))
    const keys: Value[] = [true, 'true', 1, '1', '1.0', new JsonText('[1]'), '[1]', time('2026-01-01T00:00:00Z'), null]
    expect(new Set(keys.map(groupKeyText)).size).toBe(keys.length)
    expect(groupKeyText(1_152_921_504_606_847_000n)).not.toBe(groupKeyText(1.152921504606847e18))
    expect(groupTupleText(['a', 'b:1'])).not.toBe(groupTupleText(['a:1', 'b']))
    expect(groupTupleText(['a', null])).not.toBe(groupTupleText([null, 'a']))
  })

  test('groups are ordered by rank, then text, then class; the empty key last', () => {
    const keys: Value[] = [null, 'b', true, 'true', '1.0', 1, '1', 10, '2', new JsonText('[]'), '[]']
    expect(keys.toSorted(compareGroupKeys)).toEqual([
      1,
      '1',
      '1.0',
      '2',
      10,
      '[]',
      new JsonText('[]'),
      'b',
      true,
      'true',
      null,
    ])
  })
})
