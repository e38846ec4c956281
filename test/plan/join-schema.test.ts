import { expect, test } from 'vitest'
import { field, type Field } from '../../src/data/index.ts'
import { schemaOf, type Join, type LogicalPlan } from '../../src/plan/index.ts'
import { join, values } from '../analyze/plans.ts'

function side(isOpen: boolean, ...fields: readonly Field[]): LogicalPlan {
  return values({ fields, isOpen })
}

function typesOf(left: LogicalPlan, right: LogicalPlan, extra: Partial<Join> = {}): string {
  const { fields } = schemaOf(join(left, right, { k: 'k' }, 'left', extra))
  return fields.map(({ name, type }) => `${name} ${type}`).join(', ')
}

const k = field('k', 'string')
const left = side(false, k, field('n', 'integer'), field('b', 'bool'))
const open = side(true, k, field('n', 'integer'), field('b', 'bool'))
const right = side(false, k, field('n', 'string'), field('c', 'time'))

test('a column that may have the value of either side is of any type, unless both have one', () => {
  expect(typesOf(left, right)).toBe('k string, n any, b bool, c time')
  expect(typesOf(left, side(false, k, field('n', 'integer')))).toBe('k string, n integer, b bool')
})

test('a row of an open side may have what the other side declares', () => {
  expect(typesOf(open, right)).toBe('k string, n any, b bool, c any')
  expect(typesOf(left, side(true, k))).toBe('k string, n any, b any')
})

test('a prefix keeps them apart', () => {
  expect(typesOf(left, right, { prefix: 'r' })).toBe('k string, n integer, b bool, r.n string, c time')
  expect(typesOf(left, side(true, k), { prefix: 'r', prefixMode: 'all' })).toBe('k string, n integer, b bool')
})
