import { describe, expect, test } from 'vitest'
import {
  reducePoints,
  reducerType,
  strictMode,
  type ReducerMode,
  type ReducerType,
  type Value,
} from '../../../src/alerting/conditions/index.ts'

const all: readonly ReducerType[] = [
  'last',
  'first',
  'mean',
  'sum',
  'min',
  'max',
  'count',
  'count_non_null',
  'median',
  'diff',
  'diff_abs',
  'percent_diff',
  'percent_diff_abs',
]

/** Applies every reducer of `all` to the points, in that order. */
function reduceAll(points: readonly Value[], mode: ReducerMode = strictMode): readonly Value[] {
  return all.map((type) => reducePoints(type, points, mode))
}

test('the name of a reducer is read in any case, with `avg` for `mean`', () => {
  expect(all.map((name) => reducerType(` ${name.toUpperCase()} `))).toEqual(all)
  expect(reducerType('Avg')).toBe('mean')
  expect(['math', 'toString', ''].map(reducerType)).toEqual([undefined, undefined, undefined])
})

describe('strict', () => {
  test.each<readonly [title: string, points: readonly Value[], wanted: readonly Value[]]>([
    ['four numbers', [4, -2, 8, 1], [1, 4, 2.75, 11, -2, 8, 4, 4, 2.5, -3, 3, -75, 75]],
    ['an odd number of points', [3, 1, 2], [2, 3, 2, 6, 1, 3, 3, 3, 2, -1, 1, (-1 / 3) * 100, (1 / 3) * 100]],
    ['one point', [-5], [-5, -5, -5, -5, -5, -5, 1, 1, -5, 0, 0, 0, 0]],
    [
      'points without a value, which only `count` counts',
      [undefined, 2, undefined],
      [2, 2, 2, 2, 2, 2, 3, 1, 2, 0, 0, 0, 0],
    ],
    ['NaN', [2, NaN, 6], [6, 2, NaN, NaN, NaN, NaN, 3, 2, 4, 4, 4, 200, 200]],
    [
      'an infinity',
      [1, Infinity],
      [Infinity, 1, Infinity, Infinity, 1, Infinity, 2, 2, Infinity, Infinity, Infinity, Infinity, Infinity],
    ],
    ['only NaN', [NaN], [NaN, NaN, NaN, NaN, NaN, NaN, 1, ...Array<undefined>(6)]],
    ['no points', [], [...Array<undefined>(6), 0, ...Array<undefined>(6)]],
    ['an oldest value of 0', [0, 5], [5, 0, 2.5, 5, 0, 5, 2, 2, 2.5, 5, 5, Infinity, Infinity]],
    ['a negative oldest value', [-4, 2], [2, -4, -1, -2, -4, 2, 2, 2, -1, 6, 6, 150, 150]],
  ])('%s', (_, points, wanted) => {
    expect(reduceAll(points)).toEqual(wanted)
  })
})

describe('other modes', () => {
  test('`dropNN` leaves out NaN and infinities, for `count` too', () => {
    const mode: ReducerMode = { mode: 'dropNN', replacement: 0 }
    expect(reduceAll([NaN, 3, Infinity, 1, undefined], mode).slice(0, 8)).toEqual([1, 3, 2, 4, 1, 3, 2, 2])
    expect(reduceAll([NaN], mode)).toEqual([...Array<undefined>(6), 0, ...Array<undefined>(6)])
  })

  test('`replaceNN` replaces them, points without a value and an empty series', () => {
    const mode: ReducerMode = { mode: 'replaceNN', replacement: 7 }
    expect(reduceAll([NaN, 1, undefined, -Infinity], mode).slice(0, 8)).toEqual([7, 7, 5.5, 22, 1, 7, 4, 4])
    expect(reducePoints('last', [], mode)).toBe(7)
  })
})

test.each([
  [[1e16, 1, -1e16], 1],
  [[1, 1e16, -1e16], 1],
  [[0.1, 0.2, 0.3, -0.3, -0.2, -0.1], 0],
])('the sum of %j is exact in any order', (points, wanted) => {
  expect(reducePoints('sum', points, strictMode)).toBe(wanted)
  expect(reducePoints('sum', points.toReversed(), strictMode)).toBe(wanted)
})
