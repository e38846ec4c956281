import { describe, expect, test } from 'vitest'
import { applyScope, verifyScope } from '../../src/policy/index.ts'
import { rules, runRule } from '../../src/optimize/index.ts'
import { column, not, rewriteUp, test as testOf, type Expr, type LogicalPlan } from '../../src/plan/index.ts'
import { agg, aggregate, filter, join, limit, project, scan, union, value } from '../analyze/plans.ts'
import { boundPlan, context } from '../optimize/checked.ts'

const onlyShop = testOf(column('namespace'), { kind: 'equals', value: 'shop', isFolded: false, isTyped: false })
const scope = (table: string): Expr | undefined => (table === 'logs' ? onlyShop : undefined)
const inner: Expr = {
  kind: 'in-subquery',
  arg: column('pod'),
  plan: project(scan(), 'pod'),
  mode: 'in',
  isFolded: true,
  origin: { kind: 'none' },
}

const plans: readonly (readonly [string, LogicalPlan])[] = [
  ['a scan', scan()],
  ['a subquery', filter(scan(), inner)],
  ['a subquery in a condition of stats', aggregate(scan(), {}, { n: agg('count', [], { filter: inner }) })],
  ['a union and a join', union(limit(scan(), 5), join(scan(), filter(scan(), value('level', 'x')), { pod: 'pod' }))],
]

describe('the data scope', () => {
  test.each(plans)('is on every scan of %s, and is proved to be', (_, plan) => {
    const bound = boundPlan(plan)
    expect(() => verifyScope(bound, scope)).toThrow('without its guard')
    const scoped = applyScope(bound, scope)
    expect(() => verifyScope(scoped, scope)).not.toThrow()
    let current = scoped
    for (const rule of rules) {
      current = runRule(rule, current, context)
      expect(() => verifyScope(current, scope), rule.name).not.toThrow()
    }
  })

  test.each(plans)('is missed when one scan of %s loses it', (_, plan) => {
    let left = 1
    const scoped = applyScope(boundPlan(plan), scope)
    const broken = rewriteUp(scoped, (node) =>
      node.kind === 'scan' && left-- === 1 ? { ...node, guard: undefined } : node,
    )
    expect(() => verifyScope(broken, scope)).toThrow('a scan of logs without its guard')
  })

  test('is missed when it is weakened, and found beside more', () => {
    const scoped = applyScope(boundPlan(scan()), scope)
    const weaker: Expr = { kind: 'or', args: [onlyShop, not(onlyShop)], origin: { kind: 'none' } }
    expect(() => verifyScope({ ...scoped, guard: weaker }, scope)).toThrow()
    expect(() =>
      verifyScope(
        applyScope(scoped, () => not(inner)),
        scope,
      ),
    ).not.toThrow()
  })

  test('asks nothing of tables that it leaves open', () => {
    expect(() => verifyScope(boundPlan(scan()), () => undefined)).not.toThrow()
  })
})
