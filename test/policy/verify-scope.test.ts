import { describe, expect, test } from 'vitest'
import { collect, InvariantError, always, nowhere, present } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { sqliteBackend } from '../../src/backends/sql/index.ts'
import { rowsBackend, type Backend } from '../../src/backends/index.ts'
import { Instant, type StoredRow } from '../../src/data/index.ts'
import { createEngine, readRows } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { lowerPromql, parsePromqlOrThrow } from '../../src/lang/promql/index.ts'
import {
  column,
  conjunction,
  mapInputs,
  mapSeriesSelects,
  rewriteUp,
  test as testOf,
  type Expr,
  type LabelPredicate,
  type LogicalPlan,
  type Scan,
} from '../../src/plan/index.ts'
import { applyScope, verifyFoundGuards, verifyScope, verifySeriesScope } from '../../src/policy/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'

function only(namespace: string): Expr {
  const equals = { kind: 'equals', value: namespace, isFolded: false, isTyped: true } as const
  return testOf(column('namespace', nowhere), equals, nowhere)
}

const guard = only('shop')
const scope = (): Expr => guard

const engine = createEngine({ backends: [rowsBackend(new Map([['logs', []]]), standardFunctions)], lint: 'off' })

function bound(text: string): LogicalPlan {
  return engine.plan(text, { range: always }).bound
}

test('applying a second scope keeps the guard of the first one', () => {
  const both: Expr[] = []
  rewriteUp(
    applyScope(applyScope(bound('*'), scope), () => only('till')),
    (node) => {
      if (node.kind === 'scan' && node.guard !== undefined) both.push(node.guard)
      return node
    },
  )
  expect(both).toEqual([conjunction([guard, only('till')], nowhere)])
})

const queries: readonly (readonly [string, string, number])[] = [
  ['a scan', '*', 1],
  ['stages above it', 'error | stats by (level) count() n | sort by (n) | limit 3', 1],
  ['a subquery', 'workload:in(level:error | fields workload)', 2],
  ['a subquery in a subquery', 'workload:in(level:in(a:b | fields level) | fields workload)', 3],
  ['a subquery in an aggregate’s condition', '* | stats count() if (workload:in(a:b | fields workload)) n', 2],
]

/** Removes the guard of the `n`th scan in traversal order. */
function forget(plan: LogicalPlan, n: number): LogicalPlan {
  let at = 0
  return rewriteUp(plan, (node) => (node.kind === 'scan' && at++ === n ? { ...node, guard: undefined } : node))
}

describe('the proof that every scan bears the guard', () => {
  test.each(queries)('%s', (_, text, scans) => {
    const plan = applyScope(bound(text), scope)
    expect(verifyScope(plan, scope)).toBe(scans)
    for (let n = 0; n < scans; n++) expect(() => verifyScope(forget(plan, n), scope)).toThrow(InvariantError)
  })

  test('both sides of unions and joins, however deep', () => {
    const scan = bound('*')
    const union: LogicalPlan = { kind: 'union', inputsList: [scan, bound('a:b')], origin: nowhere }
    const nested: LogicalPlan = { kind: 'union', inputsList: [scan, union], origin: nowhere }
    const plan = applyScope(nested, scope)
    expect(verifyScope(plan, scope)).toBe(3)
    for (let n = 0; n < 3; n++) expect(() => verifyScope(forget(plan, n), scope)).toThrow(InvariantError)
  })

  test('a scan where no traversal would look is found', () => {
    const hidden = { kind: 'limit', input: applyScope(bound('*'), scope), note: new Map([['x', [bound('*')]]]) }
    expect(() => verifyScope(hidden, scope)).toThrow(InvariantError)
  })

  test('a guard that lets more through is none; one that lets less through is one', () => {
    const plan = bound('*')
    const other = only('pay')
    const withGuard = (made: Expr): LogicalPlan => applyScope(plan, () => made)
    expect(() => verifyScope(withGuard(other), scope)).toThrow(InvariantError)
    expect(() => verifyScope(withGuard({ kind: 'or', args: [guard, other], origin: nowhere }), scope)).toThrow(
      InvariantError,
    )
    expect(() => verifyScope(withGuard({ kind: 'not', arg: guard, origin: nowhere }), scope)).toThrow(InvariantError)
    expect(verifyScope(withGuard(conjunction([other, guard])), scope)).toBe(1)
    expect(verifyScope(withGuard(structuredClone(guard)), scope)).toBe(1)
  })

  test('what a backend found in its statement is compared as well', () => {
    expect(() => verifyFoundGuards(new Map([[{ table: 'logs' }, guard]]), scope)).not.toThrow()
    expect(() => verifyFoundGuards(new Map([[{ table: 'logs' }, undefined]]), scope)).toThrow(InvariantError)
    expect(() => verifyFoundGuards(new Map([[{ table: 'logs' }, undefined]]), () => undefined)).not.toThrow()
  })

  test('every selector of a metric plan', () => {
    const wanted: LabelPredicate = { kind: 'matcher', matcher: { label: 'namespace', op: '=', value: 'shop' } }
    const text = 'sum(rate(a[5m])) / on () group_left max_over_time(b[1h:5m] offset 1d) + topk(scalar(c), d)'
    const plan = lowerPromql(parsePromqlOrThrow(text))
    const guarded = mapSeriesSelects(plan, (select) => ({ ...select, guard: wanted }))
    expect(verifySeriesScope(guarded, wanted)).toBe(4)
    for (let n = 0; n < 4; n++) {
      let at = 0
      const open = mapSeriesSelects(guarded, (select) => (at++ === n ? { ...select, guard: undefined } : select))
      expect(() => verifySeriesScope(open, wanted)).toThrow(InvariantError)
    }
  })
})

describe('an unproven query is an internal error without data', () => {
  const rows: readonly StoredRow[] = ['shop', 'pay'].map((namespace, sequence) => ({
    timeNs: BigInt(sequence),
    sequence,
    row: new Map<string, string | Instant>([
      ['_time', new Instant(BigInt(sequence))],
      ['namespace', namespace],
      ['content', `of ${namespace}`],
    ]),
  }))

  async function backends(): Promise<readonly Backend[]> {
    const store = createMemoryStore(standardCatalog)
    store.table('logs').writer.appendRows(rows)
    const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
    telemetry.append('logs', rows)
    return [
      rowsBackend(new Map([['logs', rows]]), standardFunctions),
      columnarBackend(store, standardFunctions),
      sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' }),
    ]
  }

  test('scoped answers are right on every backend', async () => {
    for (const backend of await backends()) {
      const result = createEngine({ backends: [backend], lint: 'off' }).query('* | fields content', { scope })
      expect(
        (await collect(readRows(result.batches()))).map((row) => row.get('content')),
        backend.name,
      ).toEqual(['of shop'])
    }
  })

  test('no statement is shown: it is made from what is known of hidden values too', async () => {
    const engine = createEngine({ backends: [present((await backends())[2])], lint: 'off' })
    expect(engine.toSQL('level:error').sql).toContain('SELECT')
    expect(engine.explain('level:error').notes.join()).toContain('SELECT')
    expect(() => engine.toSQL('level:error', { scope })).toThrow(
      expect.objectContaining({ code: 'engine/statement-under-scope' }),
    )
    const tree = engine.explain('level:error', { scope })
    expect([tree.notes, tree.label]).toEqual([[], expect.stringContaining('guarded')])
  })

  test('a SQL backend that loses the guard between plan and statement is stopped', async () => {
    const sqlite = present((await backends())[2])
    const strip = (plan: LogicalPlan): LogicalPlan =>
      plan.kind === 'scan' ? { ...plan, guard: undefined } : mapInputs(plan, strip)
    const losing: Backend = { ...sqlite, prepare: (plan, context) => sqlite.prepare(strip(plan), context) }
    const result = createEngine({ backends: [losing], upper: losing, lint: 'off' }).query('* | fields content', {
      scope,
    })
    await expect(result.toArray()).rejects.toThrow(InvariantError)
    expect(() => result.explain()).toThrow(InvariantError)
  })
})

test('a part of a guard may be tested above, by whoever takes the rows of the scan alone', () => {
  const scan: Scan = {
    kind: 'scan',
    table: 'logs',
    tableSchema: { fields: [], isOpen: true },
    range: always,
    predicate: undefined,
    guard,
    guardAbove: [guard],
    columns: undefined,
    origin: nowhere,
  }
  const wanted = (): Expr => guard
  expect(verifyScope(scan, wanted, [guard])).toBe(1)
  expect(() => verifyScope(scan, wanted)).toThrow('is left out')
  expect(() => verifyScope(scan, wanted, [only('other')])).toThrow('is left out')
  const limited: LogicalPlan = { kind: 'limit', input: scan, offset: 0, limit: 1, origin: nowhere }
  expect(() => verifyScope(limited, wanted, [guard])).toThrow('is left out')
})
