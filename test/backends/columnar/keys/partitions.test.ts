import { expect, test } from 'vitest'
import { partitionsOf } from '../../../../src/backends/columnar/keys/partitions.ts'
import { gather, groupTupleText, valueAt, type Column, type Value } from '../../../../src/data/index.ts'
import { Draw } from '../random-plans.ts'
import { randomColumn, storedColumn } from '../window-columns.ts'

/** Returns, for each row, the first row of its partition. */
function firstRows(keys: readonly (number | string)[]): number[] {
  const first = new Map<number | string, number>()
  return keys.map((key, row) => {
    if (!first.has(key)) first.set(key, row)
    return first.get(key) ?? row
  })
}

function expectPartitions(columns: readonly Column[], rowCount: number, message: string): void {
  const { groups, groupCount } = partitionsOf(columns, rowCount)
  const texts = Array.from({ length: rowCount }, (_, row) => groupTupleText(columns.map((each) => valueAt(each, row))))
  expect(firstRows([...groups]), message).toEqual(firstRows(texts))
  expect(groups.every((group) => group < groupCount)).toBe(true)
}

test('rows are of one partition where their keys have one text', () => {
  for (let seed = 0; seed < 40; seed++) {
    const draw = new Draw(seed)
    const columns = Array.from({ length: 1 + draw.below(2) }, () => randomColumn(draw, 200))
    expectPartitions(columns, 200, `seed ${seed}`)
  }
})

test('codes are partitions, missing values and the empty text one of them', () => {
  const values = ['b', null, 'a', '', 'b', '', null, 'a', 'c', 'c'] satisfies Value[]
  const column = storedColumn(values)
  expect(column.kind).toBe('dictionary')
  expectPartitions([column], values.length, 'stored')
  expect(partitionsOf([column], values.length).groupCount).toBe(4)
  const rows = Uint32Array.of(3, 1, 0, 2, 8, 5)
  expectPartitions([gather(column, rows)], rows.length, 'gathered')
})

test('no more partitions than rows are made of a large dictionary', () => {
  const column = storedColumn(Array.from({ length: 300 }, (_, i) => `t${i}`))
  const few = gather(column, Uint32Array.of(250, 3, 250))
  expectPartitions([few], 3, 'few rows')
  expect(partitionsOf([few], 3).groupCount).toBe(2)
})
