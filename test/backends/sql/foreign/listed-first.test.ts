import { expect, test } from 'vitest'
import { bound, sqlCall, sqlColumn, sqlTrue, type SqlExpr } from '../../../../src/backends/sql/statement/ast.ts'
import { generic } from '../../../../src/backends/sql/dialects/generic.ts'
import { postgres } from '../../../../src/backends/sql/dialects/postgres.ts'
import { column } from '../../../../src/plan/index.ts'
import { listedFirst } from '../../../../src/backends/sql/foreign/listed-first.ts'

const level = sqlColumn('t0', 'level')
const list: SqlExpr = { kind: 'in', arg: level, values: 'a b c d e f g h i'.split(' '), isNegated: false }
const others: SqlExpr = { kind: 'not', arg: list }
const time: SqlExpr = { kind: 'compare', op: '>=', left: sqlColumn('t0', 't'), right: bound(1n) }
const pattern = sqlCall('like-folded', sqlCall('in-bytes', sqlColumn('t0', 'content')), bound('%x%'))
const indexed = sqlCall('like-folded', sqlColumn('t0', 'content'), bound('%x%'))
const guard: SqlExpr = { kind: 'guard', condition: sqlTrue, guard: column('level'), above: undefined }

test('long lists are tested before patterns, or together with them if an index may apply', () => {
  const [kept, last, ...more] = listedFirst([time, others, pattern], postgres)
  expect([kept, more]).toEqual([time, []])
  expect(last).toMatchObject({ kind: 'case', branches: [{ when: others, value: pattern }] })
  expect(listedFirst([list, pattern], postgres)).toMatchObject([list, { kind: 'case', branches: [{ when: list }] }])
})

test.each([
  ['a short list', [{ ...list, values: ['a', 'b'] }, pattern]],
  ['no pattern', [list, others, time]],
  ['a pattern that an index may serve', [list, indexed]],
])('%s stays as it is', (_, where) => {
  expect(listedFirst(where, postgres)).toBe(where)
})

test('guards stay where their proof looks for them', () => {
  expect(listedFirst([guard, others, pattern], postgres)[0]).toBe(guard)
  expect(listedFirst([others, pattern], generic)).toEqual([others, pattern])
})
