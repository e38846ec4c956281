import { describe, expect, test } from 'vitest'
import { breaches, isComplete, valueOfCell, type ThresholdComparison } from '../../../src/alerting/conditions/index.ts'
import { Instant, type Value as Cell } from '../../../src/data/index.ts'

describe('comparisons', () => {
  // `y` if the operator holds and `.` if not, for the values -Infinity, 2, 3, 4, 6, 7, Infinity and NaN.
  test.each<readonly [ThresholdComparison['operator'], readonly number[], holds: string]>([
    ['gt', [3], '...yyyy.'],
    ['gte', [3], '..yyyyy.'],
    ['lt', [3], 'yy......'],
    ['lte', [3], 'yyy.....'],
    ['eq', [3], '..y.....'],
    ['neq', [3], 'yy.yyyyy'],
    ['within_range', [3, 6], '...y....'],
    ['within_range_included', [3, 6], '..yyy...'],
    ['outside_range', [3, 6], 'yy...yy.'],
    ['outside_range_included', [3, 6], 'yyy.yyy.'],
  ])('%s %j', (operator, values, holds) => {
    const found = [-Infinity, 2, 3, 4, 6, 7, Infinity, NaN].map((value) =>
      breaches({ operator, values }, value, false) ? 'y' : '.',
    )
    expect(found.join('')).toBe(holds)
  })

  test('zero has no sign', () => {
    expect(breaches({ operator: 'eq', values: [0] }, -0, false)).toBe(true)
    expect(breaches({ operator: 'gt', values: [-0] }, 0, false)).toBe(false)
  })

  test('no value breaches nothing, while alerting too', () => {
    const resolve: ThresholdComparison = { operator: 'lt', values: [1] }
    expect(breaches({ operator: 'neq', values: [3] }, undefined, false)).toBe(false)
    expect(breaches({ operator: 'gt', values: [3], resolve }, undefined, true)).toBe(false)
  })
})

test.each<readonly [ThresholdComparison['operator'], readonly number[], isComplete: boolean]>([
  ['gt', [1], true],
  ['gt', [], false],
  ['gt', [1, 2], false],
  ['gt', [NaN], false],
  ['within_range', [1, 2], true],
  ['within_range', [1, 1], true],
  ['within_range', [2, 1], false],
  ['within_range', [1], false],
])('%s %j is complete: %s', (operator, values, wanted) => {
  expect(isComplete({ operator, values })).toBe(wanted)
})

describe('a resolve threshold', () => {
  const threshold = { operator: 'gt', values: [80], resolve: { operator: 'lt', values: [60] } } as const

  test.each([
    [81, true, true],
    [70, false, true],
    [60, false, true],
    [59, false, false],
    [NaN, false, true],
  ])('%d breaches: %s; while alerting: %s', (value, isFresh, isAlerting) => {
    expect(breaches(threshold, value, false)).toBe(isFresh)
    expect(breaches(threshold, value, true)).toBe(isAlerting)
  })

  test('that is missing leaves the firing threshold to decide', () => {
    expect(breaches({ operator: 'gt', values: [80] }, 70, true)).toBe(false)
  })
})

test.each<readonly [Cell, number | undefined]>([
  [1.5, 1.5],
  [NaN, undefined],
  [Infinity, Infinity],
  [true, 1],
  [false, 0],
  [' 12.5 ', 12.5],
  ['', undefined],
  ['many', undefined],
  [12n, 12],
  [null, undefined],
  [new Instant(1_500_000_000n), 1.5],
])('the number of the cell %o is %o', (cell, wanted) => {
  expect(valueOfCell(cell)).toBe(wanted)
})
