import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import {
  epochStartNs,
  greatestDeltaAt,
  leastDeltaAt,
  rowAtTime,
  timeMarks,
  type Segment,
} from '../../../src/store/index.ts'

/** Reference implementation: returns the first row whose time is at least `delta`. */
function lowerBound(deltas: Float64Array, delta: number): number {
  const row = deltas.findIndex((each) => each >= delta)
  return row === -1 ? deltas.length : row
}

/** Returns a segment of which only marks and bounds may be read. Without `deltas`, reading times fails. */
function markedSegment(all: Float64Array, epoch: number, deltas: Float64Array | undefined): Segment {
  const known = {
    rowCount: all.length,
    epoch,
    firstDelta: present(all[0]),
    lastDelta: present(all.at(-1)),
    timeMarks: timeMarks(all, epochStartNs(epoch)),
    get deltas(): Float64Array {
      return present(deltas, 'times were read')
    },
  }
  return known as unknown as Segment
}

function ascending(random: ReturnType<typeof seededRandom>, count: number, stepNs: number): Float64Array {
  let delta = random.below(1_000_000_000)
  return Float64Array.from({ length: count }, () => (delta += random.below(4) === 0 ? 0 : random.below(stepNs)))
}

describe.each([
  [389, 4000, 2_000_000],
  [-3, 4000, 40_000_000],
  [389, 900, 3_000_000_000],
  [389, 60_000, 90_000_000],
  [389, 40, 1_000_000_000],
])('marks of epoch %d, %d rows, steps below %d ns', (epoch, count, stepNs) => {
  const random = seededRandom(count)
  const deltas = ascending(random, count, stepNs)
  const marks = present(timeMarks(deltas, epochStartNs(epoch)))

  test('are few, at whole multiples of their unit since 1970', () => {
    expect(marks.rows.length).toBeLessThanOrEqual(count / 16)
    expect((epochStartNs(epoch) + BigInt(marks.firstDelta)) % BigInt(marks.unitNs)).toBe(0n)
    expect(marks.firstDelta).toBeGreaterThan(present(deltas[0]))
    expect(marks.firstDelta - present(deltas[0])).toBeLessThanOrEqual(marks.unitNs)
  })

  test('tell the rows at them without times, and narrow where others are', () => {
    const untold = markedSegment(deltas, epoch, undefined)
    const told = markedSegment(deltas, epoch, deltas)
    for (let i = -2; i < marks.rows.length + 2; i++) {
      const delta = marks.firstDelta + i * marks.unitNs
      if (delta < 0) continue
      expect([i, rowAtTime(untold, { epoch, delta })]).toEqual([i, lowerBound(deltas, delta)])
    }
    for (let i = 0; i < 500; i++) {
      const at = present(deltas[random.below(count)]) + random.below(3) - 1
      expect([at, rowAtTime(told, { epoch, delta: at })]).toEqual([at, lowerBound(deltas, at)])
    }
  })

  test('bound the time of every row', () => {
    const untold = markedSegment(deltas, epoch, undefined)
    const rows = Array.from({ length: count }, (_, row) => row)
    expect(rows.filter((row) => leastDeltaAt(untold, row) > present(deltas[row]))).toEqual([])
    expect(rows.filter((row) => greatestDeltaAt(untold, row) < present(deltas[row]))).toEqual([])
  })
})

test('a segment of equal times has no marks behind its first row', () => {
  expect(present(timeMarks(new Float64Array(100).fill(7), 0n)).rows).toHaveLength(0)
})
