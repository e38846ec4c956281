import { expect, test } from 'vitest'
import { conjunction, type Predicate } from '../../../../src/backends/columnar/expr/predicate.ts'
import { Frame } from '../../../../src/backends/columnar/frame.ts'
import { createBitmap, setBit } from '../../../../src/data/index.ts'
import type { Segment } from '../../../../src/store/index.ts'

const ROWS = 100
const frame = (segment: object): Frame => new Frame(ROWS, new Map(), undefined, segment as Segment)
const inMemory = frame({})
const inFile = frame({ followedBy: () => undefined })

function listed(...rows: readonly number[]): Predicate {
  return { narrow: () => undefined, cost: () => 1, rows: () => Uint16Array.from(rows) }
}

const bits = createBitmap(ROWS)
for (const row of [3, 7, 90]) setBit(bits, row)
const inBits: Predicate = { ...listed(), rows: () => bits }

test('rows of several conditions are those that all their lists and bitmaps have', () => {
  const both = conjunction([listed(1, 3, 7), inBits, listed(0, 3, 7, 99)])
  expect(both.rows?.(inMemory)).toEqual(Uint16Array.of(3, 7))
  expect(conjunction([listed(1, 2), listed(3)]).rows?.(inMemory)).toEqual(new Uint16Array(0))
})

test('of a file, and where a condition rules the segment out, no list is asked for', () => {
  let asked = 0
  const counted: Predicate = { ...listed(1), rows: () => Uint16Array.of(asked++) }
  expect(conjunction([counted, inBits]).rows?.(inFile)).toBeUndefined()
  expect(conjunction([counted, { ...inBits, isNone: () => true }]).rows?.(inMemory)).toBeUndefined()
  expect(asked).toBe(0)
})

test('a condition without a list looks at no row, as it may be one that is asked about a part at a time, and comes before lists are read', () => {
  let looks = 0
  const costly: Predicate = { narrow: () => void looks++, cost: () => 3000 }
  const counted: Predicate = { ...listed(1), rows: () => Uint16Array.of(looks++) }
  expect(conjunction([counted, costly]).rows?.(inMemory)).toBeUndefined()
  expect(looks).toBe(0)
})
