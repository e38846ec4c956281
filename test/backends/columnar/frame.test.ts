import { expect, test } from 'vitest'
import { Frame } from '../../../src/backends/columnar/frame.ts'
import { valueAt, type Column, type Value } from '../../../src/data/index.ts'
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
