import { collect } from '../../src/base/index.ts'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backends/index.ts'
import { RowWriter } from '../../src/data/index.ts'
import { Engine, printExplainTree, readRows } from '../../src/engine/index.ts'
import {
  and,
  column,
  visit,
  visitExpr,
  expressions,
  rewriteUp,
  test as tested,
  type Expr,
  type LogicalPlan,
} from '../../src/plan/index.ts'
import {
  agg,
  aggregate,
  filter,
  join,
  level,
  limit,
  project,
  scan,
  sort,
  union,
  value,
  wild,
} from '../analyze/plans.ts'
import { columnarOver, mixedRows, rowsOver } from './data.ts'

const rows = mixedRows(60)

/** Returns the row model as a backend that rejects the nodes for which `refuses` returns a reason. */
function limited(refuses: (node: LogicalPlan) => string | undefined): Backend {
  const model = rowsOver(rows)
  return {
    name: 'limited',
    prepare: (plan, context) => model.prepare(plan, context),
    accept(plan) {
      const found: { node: LogicalPlan; reason: string }[] = []
      visit(plan, (node) => {
        const reason = refuses(node)
        if (reason !== undefined) found.push({ node, reason })
      })
      const [first] = found
      return first === undefined ? { kind: 'whole' } : { kind: 'not', ...first }
    },
  }
}

const noGlobs = limited((node) => {
  const kinds: string[] = []
  for (const root of expressions(node)) visitExpr(root, (e) => e.kind === 'test' && kinds.push(e.test.kind))
  return kinds.includes('glob') || kinds.includes('contains') ? 'it has no wildcards' : undefined
})
const noGroups = limited((node) => (node.kind === 'aggregate' ? 'it has no groups' : undefined))

async function both(owner: Backend, plan: LogicalPlan): Promise<string> {
  const writer = new RowWriter()
  const engine = new Engine({ backends: [owner, columnarOver([])], lint: 'off' })
  const result = engine.queryPlan(plan)
  const expected = new Engine({ backends: [rowsOver(rows)], lint: 'off' }).queryPlan(plan)
  const lines = (await collect(readRows(result.batches()))).map((row) => writer.row(row))
  expect(lines).toEqual((await collect(readRows(expected.batches()))).map((row) => writer.row(row)))
  expect(lines.length).toBeGreaterThan(0)
  return printExplainTree(engine.queryPlan(plan).explain())
}

describe('parts of a plan', () => {
  test('the owner runs all of it when it can', async () => {
    expect(
      await both(
        limited(() => undefined),
        limit(filter(scan(), value('level', 'error')), 5),
      ),
    ).toBe(
      ['limit 5  [rows]', '  - the newest 5 rows', '  scan logs always where level = i:"error"  [rows]'].join('\n'),
    )
  })

  test('a stage it cannot run, and those above, go to the other backend', async () => {
    const plan = sort(aggregate(filter(scan(), value('pod', 'p1')), { level: column('level') }, { n: agg('count') }), [
      { expr: column('n'), direction: 'desc' },
    ])
    expect(await both(noGroups, plan)).toBe(
      [
        'sort n desc  [columnar]',
        '  - limited cannot run aggregate by (level) count() as n: it has no groups',
        '  - a line for each level: values n',
        '  aggregate by (level) count() as n  [columnar]',
        '    scan logs always columns=(level) where pod = i:"p1"  [rows]',
      ].join('\n'),
    )
  })

  test('of a condition only what it cannot test', async () => {
    const plan = project(filter(scan(), level(value('pod', 'p1'), wild('content', '*e*'))), 'status')
    expect(await both(noGlobs, plan)).toBe(
      [
        'project status  [columnar]',
        '  - limited cannot run scan logs always columns=(status) where (pod = i:"p1" and content contains i:"e"): it has no wildcards',
        '  drop content  [columnar]',
        '    filter content contains i:"e"  [columnar]',
        '      scan logs always columns=(status, content) where pod = i:"p1"  [rows]',
      ].join('\n'),
    )
  })

  test('of a filter above other stages too', async () => {
    const plan = filter(
      limit(filter(scan(), value('pod', 'p1')), 20),
      level(value('level', 'error'), wild('content', '*e*')),
    )
    expect(await both(noGlobs, plan)).toContain(
      ['filter content contains i:"e"  [columnar]', '  - limited', ''].join('\n').trim().split('\n')[0],
    )
  })

  test('of a policy too, and nothing sees rows that the rest of it hides', async () => {
    const pod = tested(column('pod'), { kind: 'equals', value: 'p1', isFolded: false, isTyped: false })
    const mine = and([pod, tested(column('content'), { kind: 'contains', text: 'e', isFolded: true })])
    const scope = (table: string): Expr | undefined => (table === 'logs' ? mine : undefined)
    const model = rowsOver(rows)
    const usesWildcards = (expr: Expr): boolean => {
      let found = false
      visitExpr(expr, (e) => (found ||= e.kind === 'test' && e.test.kind === 'contains'))
      return found
    }
    /** Replaces the guard by the part that the backend supports. */
    const half = (plan: LogicalPlan): LogicalPlan =>
      rewriteUp(plan, (node) => (node.kind === 'scan' ? { ...node, guard: pod } : node))
    const owner: Backend = {
      name: 'limited',
      prepare: (plan, context) => model.prepare(half(plan), context),
      accept(plan) {
        let refused: LogicalPlan | undefined
        visit(plan, (node) => {
          if (node.kind !== 'scan' || node.guard === undefined) return
          const isOpen = node.guardAbove?.some(usesWildcards) === true && node === plan
          if (usesWildcards(node.guard) && !isOpen) refused = node
        })
        return refused === undefined ? { kind: 'whole' } : { kind: 'not', node: refused, reason: 'it has no wildcards' }
      },
    }
    const visible = await collect(
      readRows(new Engine({ backends: [model], lint: 'off' }).queryPlan(scan(), { scope }).batches()),
    )
    expect(visible.length).toBeGreaterThan(1)
    // The limit of fetched rows counts only rows that the guard lets through.
    const limits = { bridgeRows: visible.length }
    const engine = new Engine({ backends: [owner, columnarOver([])], lint: 'off', limits })
    const plan = aggregate(scan(), {}, { n: agg('count') })
    const result = engine.queryPlan(plan, { scope })
    expect(await collect(readRows(result.batches()))).toEqual([new Map([['n', visible.length]])])
    expect(await collect(readRows(engine.queryPlan(scan(), { scope }).batches()))).toEqual(visible)
    expect(printExplainTree(result.explain())).toContain(
      [
        '  filter what the database cannot test of the policies  [engine]',
        '      scan logs always columns=(content) guarded in part  [rows]',
      ].join('\n'),
    )
  })

  test('several parts below one', async () => {
    const groups = aggregate(scan(), { pod: column('pod') }, { n: agg('count') })
    const text = await both(
      noGroups,
      union(project(scan(), 'pod'), join(project(scan(), 'pod', 'a'), groups, { pod: 'pod' })),
    )
    expect(text.match(/\[rows\]/g)).toHaveLength(5)
    expect(text).toContain('aggregate by (pod) count() as n  [columnar]')
  })

  test('a stage that no backend can run is an error that names it', () => {
    const engine = new Engine({ backends: [noGroups], upper: noGroups, lint: 'off' })
    const plan = aggregate(scan(), {}, { n: agg('count') })
    expect(() => engine.queryPlan(plan).explain()).toThrow(
      'No backend can run `aggregate count() as n`: it has no groups',
    )
  })

  test('rows that cross over are counted', async () => {
    const engine = new Engine({ backends: [noGroups, columnarOver([])], lint: 'off', limits: { bridgeRows: 10 } })
    const plan = aggregate(scan(), {}, { n: agg('count') })
    await expect(engine.queryPlan(plan).toArray()).rejects.toMatchObject({ code: 'engine/bridge-too-large' })
  })
})
