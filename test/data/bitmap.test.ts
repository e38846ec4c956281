import { expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import {
  andInto,
  countBits,
  countRange,
  createBitmap,
  hasBit,
  popcount,
  rowsOfBitmap,
  setBit,
  setRange,
  type Bitmap,
} from '../../src/data/index.ts'

function bitmapOf(length: number, rows: readonly number[]): Bitmap {
  const bits = createBitmap(length)
  for (const row of rows) setBit(bits, row)
  return bits
}

const lengths = [0, 1, 31, 32, 33, 63, 64, 65, 95, 96, 97, 200, 1000]

test('rows in, rows out', () => {
  for (const length of lengths) {
    const rows = Array.from({ length }, (_, i) => i).filter((i) => (i * 7919) % 5 < 2)
    const bits = bitmapOf(length, rows)
    expect([...rowsOfBitmap(bits)]).toEqual(rows)
    expect(countBits(bits)).toBe(rows.length)
    for (let i = 0; i < length; i++) expect(hasBit(bits, i)).toBe(rows.includes(i))
  }
})

test('ranges', () => {
  for (const length of lengths.filter((n) => n > 0 && n <= 200)) {
    for (const [from, to] of [
      [0, length],
      [0, 0],
      [1, length],
      [0, length - 1],
      [length >> 1, length],
      [length >> 2, length >> 1],
    ]) {
      const bits = createBitmap(length)
      setRange(bits, present(from), present(to))
      const rows = Array.from({ length: Math.max(0, present(to) - present(from)) }, (_, i) => present(from) + i)
      expect([...rowsOfBitmap(bits)]).toEqual(rows)
      const all = createBitmap(length)
      setRange(all, 0, length)
      expect(countRange(all, present(from), present(to))).toBe(rows.length)
    }
  }
})

test('sets of rows', () => {
  const a = bitmapOf(100, [1, 2, 40, 99])
  const b = bitmapOf(100, [2, 41, 99])
  andInto(a, b)
  expect([...rowsOfBitmap(a)]).toEqual([2, 99])
  expect([0, 1, 0x80000000, 0xffffffff].map(popcount)).toEqual([0, 1, 1, 32])
})
