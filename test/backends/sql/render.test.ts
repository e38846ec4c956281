import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { bound, compare, sqlColumn, sqlOr, type Select, type SqlExpr } from '../../../src/backends/sql/statement/ast.ts'
import { dialects } from '../../../src/backends/sql/index.ts'
import { renderSql } from '../../../src/backends/sql/statement/render.ts'

const sqlite = dialects.find(({ name }) => name === 'sqlite')

function conditions(count: number): readonly SqlExpr[] {
  return Array.from({ length: count }, (_, i) => compare(sqlColumn('t', `c${i}`), '=', bound(BigInt(i))))
}

function linesOf(where: readonly SqlExpr[]): readonly string[] {
  const select: Select = {
    kind: 'select',
    columns: [{ expr: sqlColumn('t', 'a'), name: 'c0' }],
    from: { kind: 'variants', alias: 't' },
    where,
    groupBy: undefined,
    having: [],
    orderBy: [],
    limit: undefined,
    offset: 0,
  }
  expect(sqlite).toBeDefined()
  return (sqlite === undefined ? undefined : renderSql(select, sqlite))?.text.split('\n').slice(2) ?? []
}

/**
 * Returns the nesting depth that a database needs to parse a text. A chain of operators counts as nesting, because
 * databases parse it from the left.
 */
function depthOf(text: string): number {
  const chains = [0]
  let deepest = 0
  for (const token of text.match(/[()]|\b(?:AND|OR)\b/g) ?? []) {
    if (token === '(') chains.push(0)
    else if (token === ')') chains.pop()
    else chains.push((chains.pop() ?? 0) + 1)
    deepest = Math.max(
      deepest,
      chains.reduce((sum, each) => sum + each + 1, 0),
    )
  }
  return deepest
}

describe('conditions of a statement', () => {
  test('none, one, and up to sixteen: a line each', () => {
    expect(linesOf([])).toEqual([])
    expect(linesOf(conditions(1))).toEqual(['WHERE t.c0 = :c0'])
    for (const count of [2, 15, 16]) {
      expect(linesOf(conditions(count))).toHaveLength(count)
      expect(
        linesOf(conditions(count))
          .slice(1)
          .every((line) => /^ {2}AND t\.(c\d+) = :\1$/.test(line)),
      ).toBe(true)
    }
  })

  test('more stand as a tree, however many', () => {
    for (const count of [17, 100, 4096]) {
      for (const where of [conditions(count), [sqlOr(conditions(count))]]) {
        const lines = linesOf(where)
        expect(lines).toHaveLength(1)
        expect(lines[0]?.match(/:c\d+|\?\d+/g)).toHaveLength(count)
        expect(depthOf(present(lines[0]))).toBeLessThan(40)
      }
    }
  })
})
