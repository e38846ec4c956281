import { expect, test } from 'vitest'
import { rowReader } from '../../../src/backends/columnar/frame-rows.ts'
import { Frame } from '../../../src/backends/columnar/frame.ts'
import { Bytes } from '../../../src/base/index.ts'
import {
  columnOfValues,
  createBitmap,
  encodeText,
  gather,
  setBit,
  toText,
  utf8Length,
  valueAt,
  type Column,
  type Value,
} from '../../../src/data/index.ts'
import { Draw } from './random-plans.ts'
import { randomColumn } from './window-columns.ts'

const valuesOf = (column: Column): readonly Value[] =>
  Array.from({ length: column.length }, (_, row) => valueAt(column, row))

test('rows of a slice, of a slice of it and taken from it are those of the frame', () => {
  for (let seed = 0; seed < 40; seed++) {
    const draw = new Draw(seed)
    const length = 10 + draw.below(90)
    const columns = ['a', 'b', 'c'].map((name) => [name, randomColumn(draw, length)] as const)
    const frame = new Frame(length, new Map(columns), (row) => row * 3)
    const from = draw.below(length >> 1)
    const to = from + 2 + draw.below(length - from - 2)
    const slice = frame.slice(from, to)
    const within = slice.slice(1, to - from)
    const rows = Uint32Array.from({ length: 20 }, () => draw.below(to - from))
    const taken = slice.take(rows)
    expect([slice.rowCount, within.rowCount, taken.rowCount]).toEqual([to - from, to - from - 1, 20])
    expect(slice.identity?.(1)).toBe((from + 1) * 3)
    for (const [name, column] of columns) {
      const values = valuesOf(column)
      expect(valuesOf(within.column(name)), `seed ${seed}`).toEqual(values.slice(from + 1, to))
      expect(valuesOf(taken.column(name))).toEqual(Array.from(rows, (row) => values[from + row]))
      expect(valuesOf(slice.column(name))).toEqual(values.slice(from, to))
    }
  }
})

test('a row that is read has its own fields in their order, also those that few rows have', () => {
  const sparse = (rows: readonly number[], values: readonly Value[]): Column => ({
    kind: 'sparse',
    length: 6,
    rows: Uint32Array.from(rows),
    present: columnOfValues(values),
  })
  const columns: readonly (readonly [string, Column])[] = [
    ['rare', sparse([4], ['r4'])],
    ['common', columnOfValues([0, 1, null, 3, 4, 5])],
    ['seldom', sparse([1, 4], ['s1', null])],
    ['other', columnOfValues(['a', 'b', 'c', 'd', 'e', 'f'])],
  ]
  const read = rowReader(new Frame(6, new Map(columns)), ['rare', 'common', 'seldom', 'other', 'absent'])
  expect(Array.from({ length: 6 }, (_, row) => [...read(row)].flat())).toEqual([
    ['common', 0, 'other', 'a'],
    ['common', 1, 'seldom', 's1', 'other', 'b'],
    ['other', 'c'],
    ['common', 3, 'other', 'd'],
    ['rare', 'r4', 'common', 4, 'other', 'e'],
    ['common', 5, 'other', 'f'],
  ])
})

test('a field that few of the gathered rows have stays a list of these rows', () => {
  const column: Column = {
    kind: 'sparse',
    length: 9,
    rows: Uint32Array.of(2, 5, 7),
    present: columnOfValues([2, 5, 7]),
  }
  const some = gather(column, Uint32Array.of(8, 5, 0, 5, 1, 3, 4))
  expect(some.kind).toBe('sparse')
  expect(valuesOf(some)).toEqual([null, 5, null, 5, null, null, null])
  expect(valuesOf(gather(column, Uint32Array.of(7, 2, 0)))).toEqual([7, 2, null])
  expect(valuesOf(gather(column, Uint32Array.of(0, 1)))).toEqual([null, null])
})

test('of long texts a row has beginnings that are longer than asked, and short ones whole', () => {
  const texts = ['', 'abcd', 'abcde', 'x'.repeat(1000), 'é'.repeat(2), 'é'.repeat(3), 'abc€', 'ab😀😀', 'abc\ud83d']
  const parts = texts.map((text) => encodeText(text))
  const offsets = Uint32Array.from([0, ...parts.map((_, i) => parts.slice(0, i + 1).reduce((n, p) => n + p.length, 0))])
  const wide = createBitmap(texts.length)
  for (const [row, text] of texts.entries()) if (parts[row]?.length !== text.length) setBit(wide, row)
  const column: Column = {
    kind: 'text',
    length: texts.length,
    bytes: Bytes.concat(parts),
    offsets,
    validity: undefined,
    wide,
  }
  const rows = Uint32Array.from(texts.keys())
  const inOrder: Column = { kind: 'gathered', length: texts.length, rows, source: column }
  for (const each of [
    column,
    inOrder,
    { kind: 'chunked', length: texts.length, starts: Uint32Array.of(0), chunks: [inOrder] },
  ] as const) {
    const read = rowReader(new Frame(texts.length, new Map([['t', each as Column]])), ['t'], 4)
    for (const [row, text] of texts.entries()) {
      const found = toText(read(row).get('t') ?? null)
      if (utf8Length(text) <= 4) expect(found).toBe(text)
      else {
        expect(utf8Length(found)).toBeGreaterThan(4)
        expect(found.length).toBeLessThanOrEqual(5)
      }
    }
  }
})
