import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { listsAllRows, topValues } from '../../../src/store/memory/top-values.ts'
import { zoneMap } from '../../../src/store/memory/zone-map.ts'

const random = seededRandom(17)
const ROWS = 20_000
const LISTED = Math.floor(ROWS / 64)

const columns: readonly (readonly [string, (row: number) => number])[] = [
  ['numbers at random', () => random.below(1_000_000) / 7],
  ['rising', (row) => row],
  ['falling', (row) => -row],
  ['many ties', () => random.below(5)],
  ['all equal', () => 3],
  ['infinite ends', (row) => (row % 100 === 0 ? Infinity : row % 100 === 1 ? -Infinity : row)],
  ['mostly missing', (row) => (row % 500 === 0 ? row : NaN)],
]

test.each(columns)('the rows at both ends of %s', (_, valueAt) => {
  const values = Float64Array.from({ length: ROWS }, (__, row) => valueAt(row))
  const present = values.filter((value) => !Number.isNaN(value)).sort()
  const { highest, lowest } = topValues(values, zoneMap(values, ROWS - present.length))
  expect(highest.rows.length).toBe(Math.min(LISTED, present.length))
  expect(listsAllRows(highest, present.length)).toBe(present.length <= LISTED)
  expect(highest.numbers).toEqual(present.toReversed().slice(0, LISTED))
  expect(lowest.numbers).toEqual(present.slice(0, LISTED))
  for (const { rows, numbers } of [highest, lowest]) {
    expect(Array.from(rows, (row) => values[row])).toEqual([...numbers])
    expect(new Set(rows).size).toBe(rows.length)
    // Equal values are listed newest first.
    for (let i = 1; i < rows.length; i++) {
      const [before, row] = [rows[i - 1] ?? 0, rows[i] ?? 0]
      if (values[before] === values[row]) expect(before).toBeGreaterThan(row)
    }
  }
})

test.each([0, 1, 127, 128, 129, 500])('of %i rows 128 are listed at least', (count) => {
  const values = Float64Array.from({ length: count }, () => random.below(50))
  const { highest, lowest } = topValues(values, zoneMap(values, 0))
  const sorted = values.toSorted()
  expect(highest.numbers).toEqual(sorted.toReversed().slice(0, 128))
  expect(lowest.numbers).toEqual(sorted.slice(0, 128))
  expect(listsAllRows(lowest, count)).toBe(count <= 128)
})

test('no rows at all', () => {
  const values = new Float64Array(10).fill(NaN)
  const { highest, lowest } = topValues(values, zoneMap(values, 10))
  expect([highest.rows.length, lowest.rows.length]).toEqual([0, 0])
})
