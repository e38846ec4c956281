import { describe, expect, test } from 'vitest'
import { nowhere } from '../../../src/base/index.ts'
import { sqliteBackend, verifyGuards } from '../../../src/backends/sql/index.ts'
import type { Select, SqlExpr } from '../../../src/backends/sql/statement/ast.ts'
import { sqlOr } from '../../../src/backends/sql/statement/ast.ts'
import { column, test as tested, visit, type LogicalPlan, type Scan } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import { randomPlan, scanOf } from './random-plan.ts'
import { functions, Random } from './support.ts'

const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
const guard = tested(column('namespace'), { kind: 'equals', value: 'mine', isFolded: false, isTyped: true })
const word = tested(column('content'), { kind: 'phrase', text: 'timeout', isFolded: true })

function withoutGuards(select: Select): Select {
  return { ...select, where: select.where.filter((condition) => condition.kind !== 'guard') }
}

function weakened(select: Select): Select {
  const where = select.where.map((c): SqlExpr => (c.kind === 'guard' ? sqlOr([c, { kind: 'constant', text: '1' }]) : c))
  return { ...select, where }
}

describe('proof of guards', () => {
  test('finds every scan with its guard', () => {
    const guarded = scanOf({ guard, predicate: word })
    const open = scanOf()
    const plan: LogicalPlan = { kind: 'union', inputsList: [guarded, open], origin: nowhere }
    expect(verifyGuards(sqlite.compile(plan).query)).toEqual(
      new Map<Scan, Scan['guard']>([
        [guarded, guard],
        [open, undefined],
      ]),
    )
  })

  test('refuses a block that lost its guard, or only may heed it', () => {
    for (const predicate of [undefined, word]) {
      const { query } = sqlite.compile(scanOf({ guard, predicate }))
      expect(() => verifyGuards(withoutGuards(query))).toThrow('without its guard')
      expect(() => verifyGuards(weakened(query))).toThrow('without its guard')
      expect(verifyGuards(query).size).toBe(1)
    }
  })

  test('a guard that is tested above in part is proved in part, where all rows come through', () => {
    const above = tested(column('pod'), { kind: 'equals', value: 'p1', isFolded: false, isTyped: true })
    const both: Scan['guard'] = { kind: 'and', args: [guard, above], origin: nowhere }
    const scan = scanOf({ guard: both, guardAbove: [above] })
    const { query } = sqlite.compile(scan)
    expect(verifyGuards(query)).toEqual(new Map([[scan, both]]))
    expect(() => verifyGuards(withoutGuards(query))).toThrow('without its guard')
    const where = query.where.map((c): SqlExpr => (c.kind === 'guard' ? { ...c, above: [guard, above] } : c))
    expect(() => verifyGuards({ ...query, where })).toThrow('without its guard')
    expect(() => verifyGuards({ ...query, limit: 5 })).toThrow('sees no rows')
    expect(() => verifyGuards({ ...query, groupBy: [] })).toThrow('sees no rows')
    const limited: LogicalPlan = { kind: 'limit', input: scan, offset: 0, limit: 5, origin: nowhere }
    expect(sqlite.accept(limited)).toMatchObject({ kind: 'not', reason: 'a part of its policy is tested above' })
  })

  test('refuses another scan’s guard', () => {
    const { query } = sqlite.compile(scanOf({ guard }))
    const other = tested(column('namespace'), { kind: 'empty' })
    const where = query.where.map((c): SqlExpr => (c.kind === 'guard' ? { ...c, guard: other } : c))
    expect(() => verifyGuards({ ...query, where })).toThrow('without its guard')
  })

  test('refuses the word index alone where there is a guard', () => {
    const { query } = sqlite.compile(scanOf({ guard, predicate: word }))
    const from = query.from.kind === 'join' ? query.from.left : query.from
    expect(from.kind).toBe('words')
    expect(() => verifyGuards({ ...query, from })).toThrow('without the guarded table')
  })

  test('holds for every statement there is', () => {
    const random = new Random(5)
    let scans = 0
    for (let i = 0; i < 400; i++) {
      const plan = randomPlan(random, 4)
      if (sqlite.accept(plan).kind === 'not') continue
      const wanted = new Set<Scan>()
      visit(plan, (node) => {
        if (node.kind === 'scan') wanted.add(node)
      })
      const found = verifyGuards(sqlite.compile(plan).query)
      for (const scan of wanted) expect(found.get(scan)).toBe(scan.guard)
      scans += wanted.size
    }
    expect(scans).toBeGreaterThan(300)
  })
})
