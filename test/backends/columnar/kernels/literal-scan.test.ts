import { describe, expect, test, vi } from 'vitest'
import { present } from '../../../../src/base/index.ts'
import { rowsWithLiteral, type Needle } from '../../../../src/backends/columnar/kernels/literal-scan.ts'
import { Draw } from '../random-plans.ts'

function columnOf(rows: readonly string[]): { bytes: Buffer; offsets: Uint32Array } {
  const offsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, index) => {
    offsets[index + 1] = present(offsets[index]) + row.length
  })
  const bytes = Buffer.from(new SharedArrayBuffer(offsets[rows.length]))
  bytes.write(rows.join(''), 'latin1')
  return { bytes, offsets }
}

function needle(text: string, isFolded = false, wordStart = false, wordEnd = false): Needle {
  return { bytes: Buffer.from(text, 'latin1'), isFolded, wordStart, wordEnd }
}

function rowsFound(rows: readonly string[], what: Needle, from = 0, to = rows.length): number[] {
  const { bytes, offsets } = columnOf(rows)
  const bits = rowsWithLiteral(what, bytes, offsets, from, to)
  return Array.from({ length: to - from }, (_, i) => i).filter((i) => ((present(bits[i >>> 5]) >>> (i & 31)) & 1) === 1)
}

describe('scan for a literal', () => {
  test('finds it at either end of a row, not across rows', () => {
    const rows = ['abc', 'xabc', 'abcx', 'ab', 'cab', '', 'c', 'abcabc']
    expect(rowsFound(rows, needle('abc'))).toEqual([0, 1, 2, 7])
    expect(rowsFound(rows, needle('c'))).toEqual([0, 1, 2, 4, 6, 7])
    expect(rowsFound(rows, needle('bca'))).toEqual([7])
  })

  test('without regard to case only letters are folded', () => {
    expect(rowsFound(['A[b', 'a{B', 'a[B', 'A[B'], needle('a[b', true))).toEqual([0, 2, 3])
    expect(rowsFound(['@', '`', ' ', '\0'], needle('@', true))).toEqual([0])
  })

  test('words are not cut', () => {
    const rows = ['err', 'error', 'an err.', 'terr', '_err', 'err_', 'x-err-y', 'error err']
    expect(rowsFound(rows, needle('err', false, true, true))).toEqual([0, 2, 6, 7])
    expect(rowsFound(rows, needle('err', false, true, false))).toEqual([0, 1, 2, 5, 6, 7])
    expect(rowsFound(rows, needle('err', false, false, true))).toEqual([0, 2, 3, 4, 6, 7])
  })

  test('a part of the rows', () => {
    const rows = Array.from({ length: 100 }, (_, i) => `row ${i}`)
    expect(rowsFound(rows, needle('9'), 32, 100)).toEqual(
      [39, 49, 59, 69, 79, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99].map((row) => row - 32),
    )
  })

  test('many needles in the same rows, which are copied once; other rows of the same texts, and other texts', () => {
    const columns = ['one,two', 'two,three'].map((rows) => columnOf(rows.split(',')))
    const copies = columns.map(({ bytes }) => vi.spyOn(bytes, 'copy'))
    const found = (column: number, text: string, from: number, to: number): number | undefined => {
      const { bytes, offsets } = present(columns[column])
      return rowsWithLiteral(needle(text), bytes, offsets, from, to)[0]
    }
    const looks = (): readonly (number | undefined)[] => [
      found(0, 'two', 0, 2),
      found(0, 'one', 0, 2),
      found(0, 'three', 0, 2),
      found(0, 'two', 1, 2),
      found(1, 'two', 0, 2),
      found(1, 'three', 0, 2),
      found(0, 'two', 0, 2),
    ]
    expect(looks()).toEqual([2, 1, 0, 1, 1, 2, 2])
    expect(copies.map(({ mock }) => mock.calls.length)).toEqual([3, 1])
  })

  test('random rows and needles', () => {
    const draw = new Draw(7)
    for (let round = 0; round < 300; round++) {
      const letters = draw.pick(['ab', 'abAB', 'aAb_ ', 'e.x1'])
      const text = (length: number): string =>
        Array.from({ length }, () => letters.charAt(draw.below(letters.length))).join('')
      const rows = Array.from({ length: 1 + draw.below(90) }, () => text(draw.below(40)))
      const isFolded = draw.chance(2)
      const word = text(1 + draw.below(5))
      const wanted = isFolded ? word.toLowerCase() : word
      const expected = rows.flatMap((row, i) => ((isFolded ? row.toLowerCase() : row).includes(wanted) ? [i] : []))
      expect(rowsFound(rows, needle(wanted, isFolded))).toEqual(expected)
    }
  })
})
