import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../../src/base/index.ts'
import { Counters } from '../../../../src/backends/columnar/expr/counters.ts'
import { listedInRange } from '../../../../src/backends/columnar/expr/listed-numbers.ts'
import { ColumnTest } from '../../../../src/backends/columnar/expr/test-column.ts'
import { createBitmap, rowsOfBitmap, setRange, type ValueTestOf } from '../../../../src/data/index.ts'
import { createMemoryStore, standardCatalog, type StoredColumn } from '../../../../src/store/index.ts'

const ROWS = 3000
const random = seededRandom(5)

function fieldOf(numbers: readonly (number | undefined)[]): StoredColumn {
  const logs = createMemoryStore(standardCatalog).table('logs')
  logs.writer.appendRows(
    numbers.map((number, i) => ({
      timeNs: BigInt(i),
      sequence: i,
      row: new Map<string, string | number>([['a', 'x'], ...(number === undefined ? [] : [['n', number] as const])]),
    })),
  )
  logs.seal()
  return present(logs.view.snapshot()[0]?.columns.get('n'))
}

const kinds: readonly (readonly [string, (row: number) => number | undefined])[] = [
  ['numbers at random', () => random.below(1_000_000) / 7],
  ['rising', (row) => row / 2],
  ['of which a quarter tie at the top', (row) => (row % 4 === 0 ? 200_000 : random.below(1_000_000) / 7)],
  ['of which a quarter tie at the bottom', (row) => (row % 4 === 0 ? -1 : random.below(1_000_000) / 7)],
  ['of which some are missing', () => (random.below(12) === 0 ? undefined : random.below(1_000_000) / 7)],
  ['on both sides of zero', () => (random.below(1_000_000) - 500_000) / 7],
]

function ranges(numbers: readonly number[]): readonly ValueTestOf<'range'>[] {
  const sorted = numbers.toSorted((a, b) => a - b)
  const bounds = [0, 1, 5, 60, 127, 128, 129, 1000].flatMap((place) => [
    sorted[place] ?? 0,
    sorted.at(-1 - place) ?? 0,
    (sorted.at(-1 - place) ?? 0) + 0.1,
  ])
  return bounds.flatMap((bound, i) =>
    [true, false].flatMap((isIncluded): ValueTestOf<'range'>[] => {
      const included = { isMinIncluded: isIncluded, isMaxIncluded: !isIncluded }
      const other = bounds[(i * 7 + 3) % bounds.length] ?? 0
      return [
        { kind: 'range', min: bound, max: Infinity, ...included },
        { kind: 'range', min: -Infinity, max: bound, ...included },
        { kind: 'range', min: Math.min(bound, other), max: Math.max(bound, other), ...included },
      ]
    }),
  )
}

describe.each(kinds)('the listed rows with a number in a range, of %s', (_, numberOf) => {
  const numbers = Array.from({ length: ROWS }, (__, row) => numberOf(row))
  const field = fieldOf(numbers)
  const found = ranges(numbers.filter((number) => number !== undefined)).map((range) => {
    const test = new ColumnTest(range, new Counters())
    const rows = numbers.flatMap((number, row) => (test.holds(number ?? null) ? [row] : []))
    return { range, test, rows, listed: listedInRange(field, range) }
  })

  test('are all of them, or none are reported', () => {
    expect(field.column.kind).toBe('float64')
    for (const { range, rows, listed } of found)
      if (listed !== undefined) expect([range, Array.from(listed).toSorted((a, b) => a - b)]).toEqual([range, rows])
    // With an unbounded range, a condition that no row passes yields an empty list.
    for (const { range, rows, listed } of found)
      if (rows.length === 0 && range.max === Infinity) expect([range, listed?.length]).toEqual([range, 0])
  })

  test('leave what a look at all numbers leaves, and are counted', () => {
    for (const { range, test, rows, listed } of found) {
      const mask = createBitmap(ROWS)
      setRange(mask, 10, ROWS - 10)
      test.narrowStored(field, mask)
      expect([range, [...rowsOfBitmap(mask)]]).toEqual([range, rows.filter((row) => row >= 10 && row < ROWS - 10)])
      if (listed !== undefined) expect(listed.length).toBe(rows.length)
    }
  })
})

test('some ranges are reported, and some are not', () => {
  const numbers = Array.from({ length: ROWS }, (_, row) => row / 2)
  const field = fieldOf(numbers)
  const above = (min: number): number | undefined =>
    listedInRange(field, { kind: 'range', min, max: Infinity, isMinIncluded: true, isMaxIncluded: true })?.length
  expect(above(ROWS / 2 - 60)).toBe(120)
  expect(above(ROWS / 2 - 64)).toBeUndefined()
  const below = (max: number): number | undefined =>
    listedInRange(field, { kind: 'range', min: -Infinity, max, isMinIncluded: true, isMaxIncluded: true })?.length
  expect(below(10)).toBe(21)
  expect(below(700)).toBeUndefined()
})
