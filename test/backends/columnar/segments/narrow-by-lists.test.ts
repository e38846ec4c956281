import { expect, test } from 'vitest'
import { present } from '../../../../src/base/index.ts'
import { Counters } from '../../../../src/backends/columnar/expr/counters.ts'
import { listedInRange } from '../../../../src/backends/columnar/expr/listed-numbers.ts'
import { ColumnTest } from '../../../../src/backends/columnar/expr/test-column.ts'
import { narrowByLists } from '../../../../src/backends/columnar/segments/narrow-by-lists.ts'
import { createBitmap, rowsOfBitmap, setRange, type ValueTestOf } from '../../../../src/data/index.ts'
import { createMemoryStore, standardCatalog } from '../../../../src/store/index.ts'
import { Draw } from '../random-plans.ts'

const draw = new Draw(11)
const rowCount = 5000
/** Of one row in forty, one in twelve and one in three; and of none now and then. */
const codes = Array.from({ length: rowCount }, () =>
  draw.below(40) === 0 ? 'rare' : draw.below(12) === 0 ? 'some' : draw.below(9) === 0 ? null : draw.pick(['a', 'b']),
)
const numbers = Array.from({ length: rowCount }, (_, i) =>
  draw.below(15) === 0 ? null : draw.below(50) === 0 ? 1000 + (i >>> 10) : draw.below(2 ** 30) / 2 ** 25 - 10,
)
const store = createMemoryStore(standardCatalog)
store.table('logs').appendRows(
  codes.map((code, i) => ({
    timeNs: BigInt(i),
    sequence: i,
    row: new Map<string, string | number>([
      ...(code === null ? [] : [['code', code] as const]),
      ...[numbers[i] ?? null].flatMap((number) => (number === null ? [] : [['number', number] as const])),
    ]),
  })),
)
store.table('logs').seal()
const segment = present(store.table('logs').snapshot()[0])

test.each([
  ['above everything', 5000, Infinity],
  ['a few', 1001, Infinity],
  ['of one zone', 1002, 1002],
  ['half', 2.5, Infinity],
  ['open to both sides', -Infinity, Infinity],
])('rows with a code and a number: %s', (_, min, max) => {
  for (const isIncluded of [true, false]) {
    for (const values of [['rare'], ['some'], ['rare', 'some'], ['a'], ['absent'], ['a', 'b', 'rare', 'some']]) {
      const counters = new Counters()
      const range: ValueTestOf<'range'> = {
        kind: 'range',
        min,
        max,
        isMinIncluded: isIncluded,
        isMaxIncluded: isIncluded,
      }
      const tests = [
        { name: 'code', test: new ColumnTest({ kind: 'in', values, isFolded: true, isTyped: true }, counters) },
        { name: 'number', test: new ColumnTest(range, counters) },
      ]
      const isListed = listedInRange(present(segment.columns.get('number')), range) !== undefined
      expect(isListed).toBe(min >= 1001)
      const mask = createBitmap(rowCount)
      setRange(mask, 100, 4900)
      narrowByLists(segment, tests, mask)
      const kept = new Set(rowsOfBitmap(mask))
      for (let row = 0; row < rowCount; row++) {
        if (row < 100 || row >= 4900) expect(kept.has(row)).toBe(false)
        else expect(kept.has(row)).toBe(!isListed || tests[1]?.test.holds(numbers[row] ?? null))
      }
    }
  }
})
