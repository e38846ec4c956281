import { expect, test } from 'vitest'
import { present, seededRandom, type Random } from '../../../../src/base/index.ts'
import { NewestFirst } from '../../../../src/backends/columnar/scan/newest-first.ts'
import { compareRows, type SegmentRange } from '../../../../src/backends/columnar/segments/segment-range.ts'
import { createBitmap, hasBit, rowsOfBitmap, setBit } from '../../../../src/data/index.ts'
import type { Segment } from '../../../../src/store/index.ts'

const ROWS = 4096

/** Returns a segment as if read from a file. Times are read row by row, and each read is recorded in `asked`. */
function fileSegment(id: number, deltas: Float64Array, asked: Set<string>): Segment {
  return {
    id,
    rowCount: deltas.length,
    epoch: 0,
    firstDelta: deltas[0],
    lastDelta: deltas.at(-1),
    deltaOf: (row: number) => {
      asked.add(`${id}:${row}`)
      return deltas[row]
    },
    sequenceBase: id * ROWS,
    sequenceOffsets: undefined,
  } as unknown as Segment
}

test.each([1, 2, 3])(
  'matching rows are returned newest first, without reading the times of others: seed %i',
  (seed) => {
    const draw = seededRandom(seed)
    const asked = new Set<string>()
    const passing = new Set<string>()
    const ranges = [0, 1, 2, 3].map((id): SegmentRange => {
      // Each segment overlaps its neighbours in time.
      const times = Float64Array.from({ length: ROWS }, () => Math.floor((id + 2 * draw.next()) * 10_000))
      return { segment: fileSegment(id, times.sort(), asked), from: 0, to: ROWS }
    })
    ranges.sort((a, b) => compareRows(b.segment, ROWS - 1, a.segment, ROWS - 1))
    const masks = ranges.map(({ segment }) => {
      const mask = createBitmap(ROWS)
      for (let i = 0; i < 3 ** segment.id; i++) setBit(mask, Math.floor(draw.next() * ROWS))
      for (let row = 0; row < ROWS; row++) if (hasBit(mask, row)) passing.add(`${segment.id}:${row}`)
      return mask
    })
    const walk = new NewestFirst(ranges, (_, place) => masks[place])
    const found: string[] = []
    for (let run = walk.pull(5); run !== undefined; run = walk.pull(5))
      if (typeof run === 'object') for (const row of run.rows) found.push(`${run.segment.id}:${row}`)
    expect([...asked].filter((row) => !passing.has(row))).toEqual([])
    const parsed = (place: string): readonly [Segment, number] => {
      const [id, row] = place.split(':').map(Number)
      return [present(ranges.find(({ segment }) => segment.id === id)).segment, present(row)]
    }
    const sorted = [...passing].sort((a, b) => compareRows(...parsed(b), ...parsed(a)))
    expect(found).toEqual(sorted)
  },
)

test.each([1, 2, 8, 64, 4096])(
  'rows of a range come newest first, one in %i of them left out, however many at a time',
  (share) => {
    const draw = seededRandom(share)
    for (const [from, to] of [
      [0, ROWS],
      [31, ROWS - 1],
      [32, 4064],
      [1000, 1001],
      [77, 3333],
    ] as const) {
      const mask = createBitmap(ROWS)
      for (let row = from; row < to; row++) if (share === 1 || draw.below(share) > 0) setBit(mask, row)
      // Rows before the start of the range do not count.
      for (let row = 0; row < from; row += 3) setBit(mask, row)
      const segment = fileSegment(
        0,
        Float64Array.from({ length: ROWS }, (_, row) => row),
        new Set(),
      )
      for (const want of [1, 31, 32, 33, 100, ROWS]) {
        const walk = new NewestFirst([{ segment, from, to }], () => mask)
        const found: number[] = []
        for (let run = walk.pull(want); run !== undefined; run = walk.pull(want))
          if (typeof run === 'object') {
            expect(run.rows.length).toBeLessThanOrEqual(want)
            found.push(...run.rows)
          }
        const expected = [...rowsOfBitmap(mask)].filter((row) => row >= from && row < to)
        expect(found).toEqual(expected.toReversed())
      }
    }
  },
)

/**
 * Returns segments of `ROWS` rows, and the matching rows as a list or a bitmap. Each segment begins `apart` of its
 * duration after the previous one.
 */
function overlapping(draw: Random, share: number, apart: number) {
  const ranges = Array.from({ length: 5 }, (_, id): SegmentRange => {
    const times = Float64Array.from({ length: ROWS }, () => Math.floor((apart * id + draw.next()) * 100_000))
    return { segment: fileSegment(id, times.sort(), new Set()), from: id * 100, to: ROWS - id * 77 }
  })
  ranges.sort((a, b) => compareRows(b.segment, b.to - 1, a.segment, a.to - 1))
  const masks = ranges.map(() => {
    const mask = createBitmap(ROWS)
    for (let row = 0; row < ROWS; row++) if (draw.below(share) === 0) setBit(mask, row)
    return mask
  })
  const lists = ranges.map(({ from, to }, place) =>
    Uint16Array.from(rowsOfBitmap(present(masks[place]))).filter((row) => row >= from && row < to),
  )
  const walk = (): NewestFirst => new NewestFirst(ranges, (_, place) => masks[place])
  const all = ranges
    .flatMap(({ segment }, place) => [...present(lists[place])].map((row) => ({ segment, row })))
    .toSorted((a, b) => compareRows(b.segment, b.row, a.segment, a.row))
  return { walk, all }
}

/** Skips `count` rows and returns the number of steps. */
function pass(walk: NewestFirst, count: number): number {
  let steps = 0
  for (let left = count; left > 0; steps++) {
    const skipped = walk.skip(left)
    if (skipped === undefined) break
    if (typeof skipped === 'number') left -= skipped
  }
  return steps
}

test.each([
  [1, 0.9],
  [3, 0.9],
  [40, 0.9],
  [1, 0],
  [3, 0],
  [40, 0.2],
])(
  'a page begins behind the rows that are passed over, one in %i of segments %d of their time apart',
  (share, apart) => {
    const { walk, all } = overlapping(seededRandom(share), share, apart)
    const draw = seededRandom(share + 100)
    for (const offset of [
      1,
      31,
      32,
      33,
      all.length - 1,
      all.length,
      ...Array.from({ length: 40 }, () => draw.below(all.length)),
    ]) {
      const pages = walk()
      pass(pages, offset)
      const page: string[] = []
      for (let run = pages.pull(9); run !== undefined && page.length < 9; run = pages.pull(9 - page.length))
        if (typeof run === 'object') for (const row of run.rows) page.push(`${run.segment.id}:${row}`)
      expect(page).toEqual(all.slice(offset, offset + 9).map(({ segment, row }) => `${segment.id}:${row}`))
    }
  },
)

test('segments that overlap are passed over in two steps each, however many rows lie between each other', () => {
  const { walk, all } = overlapping(seededRandom(7), 2, 0.9)
  expect(pass(walk(), all.length)).toBeLessThanOrEqual(10)
})

test('rows of segments of the same time are passed over together, up to a few before the page', () => {
  const { walk, all } = overlapping(seededRandom(8), 2, 0)
  // At most one step for each visited segment, one for most of the rows, and one for each segment's remainder.
  for (const offset of [100, 1000, all.length >>> 1, all.length - 10])
    expect(pass(walk(), offset)).toBeLessThanOrEqual(11)
})
