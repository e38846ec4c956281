import { describe, expect, test } from 'vitest'
import {
  bound,
  compare,
  sqlAnd,
  sqlColumn,
  sqlFalse,
  sqlNot,
  sqlOr,
  sqlTrue,
} from '../../../src/backends/sql/statement/ast.ts'

const a = compare(sqlColumn('t', 'a'), '=', bound(1n))
const b = compare(sqlColumn('t', 'b'), '=', bound(2n))
const c = compare(sqlColumn('t', 'c'), '=', bound(3n))

describe('conditions in SQL are put together without what says nothing', () => {
  test('not', () => {
    expect(sqlNot(sqlTrue)).toBe(sqlFalse)
    expect(sqlNot(sqlFalse)).toBe(sqlTrue)
    expect(sqlNot(a)).toEqual({ kind: 'not', arg: a })
  })
  test('and', () => {
    expect(sqlAnd([])).toBe(sqlTrue)
    expect(sqlAnd([sqlTrue])).toBe(sqlTrue)
    expect(sqlAnd([a])).toBe(a)
    expect(sqlAnd([sqlTrue, a])).toBe(a)
    expect(sqlAnd([a, sqlFalse, b])).toBe(sqlFalse)
    expect(sqlAnd([a, b])).toEqual({ kind: 'and', args: [a, b] })
    expect(sqlAnd([sqlAnd([a, b]), c])).toEqual({ kind: 'and', args: [a, b, c] })
    expect(sqlAnd([sqlOr([a, b]), c])).toEqual({ kind: 'and', args: [sqlOr([a, b]), c] })
  })
  test('or', () => {
    expect(sqlOr([])).toBe(sqlFalse)
    expect(sqlOr([sqlFalse])).toBe(sqlFalse)
    expect(sqlOr([a])).toBe(a)
    expect(sqlOr([sqlFalse, a])).toBe(a)
    expect(sqlOr([a, sqlTrue, b])).toBe(sqlTrue)
    expect(sqlOr([a, b])).toEqual({ kind: 'or', args: [a, b] })
    expect(sqlOr([sqlOr([a, b]), c])).toEqual({ kind: 'or', args: [a, b, c] })
    expect(sqlOr([sqlAnd([a, b]), c])).toEqual({ kind: 'or', args: [sqlAnd([a, b]), c] })
  })
})
