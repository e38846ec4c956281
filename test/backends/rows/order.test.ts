import { describe, expect, test } from 'vitest'
import {
  compareCharacters,
  compareKeys,
  comparePositions,
  comparePositionsIn,
  keyOf,
  sortPositionOf,
} from '../../../src/backends/rows/order.ts'
import {
  compareGroupKeys,
  compareSortKey,
  compareText,
  groupKeyText,
  Instant,
  JsonText,
  type Value,
} from '../../../src/data/index.ts'

const time = (text: string): Instant => new Instant(BigInt(Date.parse(text)) * 1_000_000n)

/**
 * The values in a line have equal rank, below the rank of the next line. Within a line they are in the order of group
 * keys.
 */
const ladder: readonly (readonly Value[])[] = [
  [-Infinity, '-inf'],
  [-(2 ** 63), '-9223372036854775808'],
  [-9007199254740993n],
  [-(2 ** 53)],
  [-1.5, '-1.5'],
  [0, '-0', '0', '0x0'],
  [5e-324],
  [9, '9', '9.0', '9B'],
  [10, '10', '10ns'],
  [2 ** 53 - 1],
  [2 ** 53, '9007199254740992'],
  [9007199254740993n, '9007199254740993'],
  [2 ** 53 + 2, 9007199254740994n],
  [1e18, '1000000000000000000'],
  [2n ** 64n - 1n],
  [2 ** 64],
  [Infinity, 'inf'],
  [NaN],
  [time('2026-01-01T00:00:00Z'), '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
  ['2026-01-01T00:00:00.000000001Z'],
  ['1.2.3.4'],
  ['2026-01-01'],
  ['NaN'],
  ['[1]', new JsonText('[1]')],
  ['abc'],
  ['abcd'],
  [false, 'false'],
  [true, 'true'],
  ['\ud7ff'],
  ['\ud83d'],
  ['\ud83d\ue000'],
  ['\udc00'],
  ['\ue000'],
  ['\uffff'],
  ['\u{10000}'],
  ['\u{1f600}'],
  [null, ''],
]

const ranked = ladder.flatMap((values, rank) => values.map((value) => ({ value, rank, place: sortPositionOf(value) })))

describe("the model's own order", () => {
  test('is that of the ladder, for every pair', () => {
    const wrong = ranked.flatMap((a) =>
      ranked
        .filter((b) => Math.sign(comparePositions(a.place, b.place)) !== Math.sign(a.rank - b.rank))
        .map((b) => [a.value, b.value]),
    )
    expect(wrong).toEqual([])
  })

  test('empty is last in both directions, NaN behind the numbers', () => {
    const sorted = (direction: 'asc' | 'desc'): Value[] =>
      ['b', null, 2, NaN, -Infinity]
        .map(sortPositionOf)
        .sort((a, b) => comparePositionsIn(a, b, direction))
        .map(({ value }) => value)
    expect(sorted('asc')).toEqual([-Infinity, 2, NaN, 'b', null])
    expect(sorted('desc')).toEqual(['b', 2, -Infinity, NaN, null])
  })

  test('keys of one rank stand by text, then by type; only the same text and type are one key', () => {
    expect(
      [new JsonText('[1]'), '[1]', 'true', true, '9B', '9.0', '9', 9]
        .map(sortPositionOf)
        .sort(compareKeys)
        .map(({ value }) => value),
    ).toEqual([9, '9', '9.0', '9B', '[1]', new JsonText('[1]'), true, 'true'])
    expect([keyOf(9) === keyOf('9'), keyOf(null) === keyOf(''), keyOf(1e21) === keyOf('1e21')]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('agrees with the order of the backends', () => {
    const differences = ranked.flatMap((a) =>
      ranked
        .filter(
          (b) =>
            Math.sign(compareKeys(a.place, b.place)) !== Math.sign(compareGroupKeys(a.value, b.value)) ||
            Math.sign(comparePositionsIn(a.place, b.place, 'desc')) !==
              Math.sign(compareSortKey(a.value, b.value, 'desc')) ||
            (keyOf(a.value) === keyOf(b.value)) !== (groupKeyText(a.value) === groupKeyText(b.value)),
        )
        .map((b) => [a.value, b.value]),
    )
    expect(differences).toEqual([])
    const units = ['', 'a', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000', '\uffff']
    const texts = units.flatMap((a) => units.flatMap((b) => units.map((c) => a + b + c)))
    const wrong = texts.flatMap((a) =>
      texts.filter((b) => Math.sign(compareCharacters(a, b)) !== Math.sign(compareText(a, b))).map((b) => [a, b]),
    )
    expect(wrong).toEqual([])
  })
})
