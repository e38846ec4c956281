import { expect, test } from 'vitest'
import { present } from '../../../../src/base/index.ts'
import { createBitmap, hasBit, setBit } from '../../../../src/data/index.ts'
import { JoinMemory } from '../../../../src/backends/columnar/kernels/join-memory.ts'
import { Draw } from '../random-plans.ts'

const draw = new Draw(11)
const CODES = 50
const SEGMENT_ROWS = 1000

/** Rows of some keys, in any order, and what finds them. */
function tablesOf(rowsOfKeys: readonly (readonly number[])[], knownKeys: readonly (number | undefined)[]) {
  const heads = rowsOfKeys.flatMap((rows) => [present(rows[0]), rows.length - 1])
  const isOneEach = rowsOfKeys.every((rows) => rows.length === 1)
  const starts = rowsOfKeys.map((_, key) => rowsOfKeys.slice(0, key).flat().length)
  return {
    known: Uint32Array.from(knownKeys, (key) => (key === undefined ? draw.below(2) : key + 2)),
    heads: Int32Array.from(heads),
    starts: Uint32Array.from(isOneEach ? [] : starts),
    rows: Uint32Array.from(isOneEach ? [] : rowsOfKeys.flat()),
  }
}

test.each([
  ['one row each', 1, 0, SEGMENT_ROWS],
  ['some rows each', 4, 0, SEGMENT_ROWS],
  ['many rows each', 60, 0, SEGMENT_ROWS],
  ['rows within a segment', 4, 77, 801],
  ['rows of one word', 4, 65, 70],
])('rows of codes and their pairs, so many at a time: %s', (_, mostRows, from, to) => {
  for (const Codes of [Uint8Array, Uint16Array, Uint32Array]) {
    let next = 0
    const rowsOfKeys = Array.from({ length: 20 }, () =>
      Array.from({ length: 1 + draw.below(mostRows) }, () => (next += 3)),
    )
    const knownKeys = Array.from({ length: CODES }, () => (draw.below(2) === 0 ? undefined : draw.below(20)))
    const codes = Codes.from(Array.from({ length: SEGMENT_ROWS }, () => draw.below(CODES)))
    const mask = createBitmap(SEGMENT_ROWS)
    for (let row = from; row < to; row++) if (draw.below(5) > 0) setBit(mask, row)
    const wanted = Array.from({ length: SEGMENT_ROWS }, (_row, row) => row).filter((row) => hasBit(mask, row))
    const keyOf = (row: number): number | undefined => knownKeys[present(codes[row])]

    const memory = present(JoinMemory.of(tablesOf(rowsOfKeys, knownKeys)))
    // The second time nothing may be left of the first.
    for (const want of [1 << 16, 7]) {
      memory.open(codes, mask, from, to)
      expect([...memory.without]).toEqual(wanted.filter((row) => keyOf(row) === undefined))
      const pairs: string[] = []
      while (!memory.isDone) {
        const { left, right } = memory.next(want)
        expect(left.length).toBeLessThanOrEqual(want)
        left.forEach((row, i) => pairs.push(`${row} ${right[i]}`))
      }
      const expected = wanted.flatMap((row) => {
        const key = keyOf(row)
        return key === undefined ? [] : present(rowsOfKeys[key]).map((right) => `${row} ${right}`)
      })
      expect(pairs).toEqual(expected)
    }
    memory.release()
    expect(() => memory.without).toThrow('after its end')
  }
})
