import { array, assert, double, integer, nat, property, tuple, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import {
  foldsOf,
  indexOfPosition,
  isFolded,
  toggledText,
  visiblePositions,
} from '../../src/console/pages/traces/folds.ts'
import {
  drawnSegments,
  spanDuration,
  ticksOf,
  windowOf,
  windowText,
} from '../../src/console/pages/traces/trace-times.ts'

test('durations have the unit that people read', () => {
  expect([0, 0.0005, 0.0421, 1, 12.345, 999, 1240, 61_000, 7_320_000].map(spanDuration)).toEqual([
    '0',
    '500 ns',
    '42.1 µs',
    '1 ms',
    '12.3 ms',
    '999 ms',
    '1.24 s',
    '1 min 1 s',
    '2 h 2 min',
  ])
})

test('a part of a trace survives its link, and a bad one is the whole trace', () => {
  assert(
    property(
      double({ min: 0, max: 1e6, noNaN: true }),
      double({ min: 0.01, max: 1e6, noNaN: true }),
      (start, length) => {
        const window = { start, end: start + length }
        const read = windowOf(windowText(window), 1e7)
        expect(read.start).toBeCloseTo(window.start, 5)
        expect(read.end).toBeCloseTo(window.end, 5)
      },
    ),
  )
  const whole = { start: 0, end: 50 }
  for (const text of [undefined, '', 'x', '9-8', '5-5', '60-70', '-1-9', '1..2-3'])
    expect(windowOf(text, 50)).toEqual(whole)
})

test('marks of the axis lie in the window, and are few', () => {
  assert(
    property(
      double({ min: 0, max: 1e9, noNaN: true }),
      double({ min: 1e-3, max: 1e9, noNaN: true }),
      nat(20),
      (start, length, most) => {
        const window = { start, end: start + length }
        const ticks = ticksOf(window, most + 1)
        expect(ticks.length).toBeLessThanOrEqual(most + 2)
        for (const tick of ticks) expect(tick >= start - length / 1e3 && tick <= window.end).toBe(true)
      },
    ),
  )
})

test('the drawn pieces of a bar cover what the window has of it, and are bound by its width', () => {
  const piecesOf = array(tuple(integer({ min: 1, max: 30 }), integer({ min: 1, max: 30 })), { maxLength: 300 })
  assert(
    property(piecesOf, integer({ min: 0, max: 3000 }), integer({ min: 1, max: 20_000 }), (steps, start, length) => {
      const [starts, ends]: [number[], number[]] = [[], []]
      let at = 0
      for (const [gap, piece] of steps) {
        starts.push(at + gap)
        ends.push(at + gap + piece)
        at += gap + piece
      }
      const window = { start, end: start + length }
      const drawn = drawnSegments(Float64Array.from(starts), Float64Array.from(ends), 0, steps.length, window)
      expect(drawn.length).toBeLessThanOrEqual(1000)
      for (const [i, piece] of starts.entries()) {
        const middle = (piece + (ends[i] ?? 0)) / 2
        if (middle <= window.start || middle >= window.end) continue
        const percent = (100 * (middle - window.start)) / length
        expect(drawn.some(({ left, width }) => left - 0.11 <= percent && percent <= left + width + 0.11)).toBe(true)
      }
    }),
  )
})

test('folded spans hide those below them, whatever the link says', () => {
  const trees = array(nat(4), { maxLength: 40 })
  const folds = tuple(nat(5), uniqueArray(nat(45)))
  assert(
    property(trees, folds, (steps, [depth, toggled]) => {
      // In the order of the tree, a span is at most one level deeper than the preceding span.
      const depths: number[] = []
      for (const step of steps) depths.push(Math.min(step, (depths.at(-1) ?? -1) + 1))
      const sizes = depths.map((own, i) => {
        const end = depths.findIndex((other, j) => j > i && other <= own)
        return (end === -1 ? depths.length : end) - i
      })
      const state = foldsOf(depth === 5 ? undefined : String(depth), toggledText(new Set(toggled)))
      const columns = Uint32Array.from(depths)
      const visible = visiblePositions(state, columns, Uint32Array.from(sizes))
      const isHidden = (place: number): boolean =>
        depths.some((_, i) => i < place && place < i + (sizes[i] ?? 0) && isFolded(state, i, columns))
      expect([...visible]).toEqual([...depths.keys()].filter((place) => !isHidden(place)))
      for (const [index, place] of visible.entries()) expect(indexOfPosition(visible, place)).toBe(index)
    }),
  )
})
