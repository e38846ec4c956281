import { describe, expect, test } from 'vitest'
import { interval, spanOf, at, present } from '../../src/base/index.ts'
import { optimize, rules, type OptimizerStep } from '../../src/optimize/index.ts'
import { applyScope } from '../../src/policy/index.ts'
import { column, not, printPlan, test as testOf, type Expr, type LogicalPlan } from '../../src/plan/index.ts'
import {
  agg,
  aggregate,
  closed,
  filter,
  level,
  limit,
  project,
  scan,
  sort,
  union,
  value,
  wild,
} from '../analyze/plans.ts'
import { boundPlan, context, expectKept, optimized, sheet } from './checked.ts'

const hour = interval(1_700_000_000_000_000_000n, 1_700_003_600_000_000_000n)

function time(start: bigint, end: bigint): Expr {
  return closed('timestamp', { kind: 'time-range', range: interval(start, end) })
}

describe('whole plans', () => {
  test('a page of errors', () => {
    const plan = limit(
      limit(
        sort(
          filter(scan('', hour), level(value('level', 'error'), value('level', 'fatal'), value(undefined, 'timeout'))),
          [{ expr: column('_time'), direction: 'desc' }],
        ),
        undefined,
        20,
      ),
      10,
    )
    expect(optimized(plan)).toBe(
      sheet(`
        limit 10 offset 20
          scan logs [2023-11-14T22:13:20Z, 2023-11-14T23:13:20Z) where (level in i:("error", "fatal") and content phrase i:"timeout")
      `),
    )
  })

  test('filters of groups, on keys and on results', () => {
    const groups = aggregate(
      filter(scan('', hour), wild(undefined, '*')),
      { workload: column('workload'), level: column('severity') },
      { n: agg('count') },
    )
    const plan = limit(
      sort(
        filter(
          groups,
          level(
            value('level', 'error'),
            closed('n', { kind: 'range', min: 5, max: Infinity, isMinIncluded: false, isMaxIncluded: true }),
          ),
        ),
        [{ expr: column('n'), direction: 'desc' }],
      ),
      3,
    )
    expect(optimized(plan)).toBe(
      sheet(`
        sort n desc limit 3
          filter n in (5, +Inf]
            aggregate by (workload, level) count() as n
              scan logs [2023-11-14T22:13:20Z, 2023-11-14T23:13:20Z) columns=(level, workload) where level = i:"error"
      `),
    )
  })

  test('conditions on time become the range', () => {
    const plan = project(
      filter(
        filter(scan('', hour), time(1_700_000_060_000_000_000n, 1_700_000_120_000_000_000n)),
        not(value('level', 'debug')),
      ),
      '_time',
      'content',
    )
    expect(optimized(plan)).toBe(
      sheet(`
        project _time, content
          scan logs [2023-11-14T22:14:20Z, 2023-11-14T22:15:20Z) columns=(_time, content) where not level = i:"debug"
      `),
    )
  })

  test('what cannot be is not run', () => {
    const plan = union(filter(scan(), level(value('level', 'a'))), filter(scan('', hour), time(0n, 1n)))
    expect(optimized(plan)).toBe(
      sheet(`
        scan logs always where level = i:"a"
      `),
    )
  })
})

describe('the driver', () => {
  const plan = limit(filter(filter(scan('', hour), value('level', 'a')), value('pod', 'b')), 5)

  test('tells every rule that did something, with the plan before and after', () => {
    const steps: OptimizerStep[] = []
    const done = optimize(boundPlan(plan), { context, observe: (step) => steps.push(step) })
    expect(steps.map((step) => `${step.pass} ${step.rule.name}`)).toEqual(['1 merge-filters', '1 push-filter'])
    expect(steps.at(-1)?.after).toBe(done)
    expect(steps[1]?.before).toBe(steps[0]?.after)
  })

  test('each rule can be switched off, and all of them', () => {
    expect(optimized(plan, ['push-filter'])).toContain('filter')
    expect(optimized(plan, ['*'])).toBe(`\n${printPlan(boundPlan(plan))}\n`)
    for (const rule of rules) expect(optimized(plan, [rule.name])).toContain('scan logs')
  })

  test('stops after the passes it is given', () => {
    const steps: OptimizerStep[] = []
    optimize(boundPlan(plan), { context, maxPasses: 0, observe: (step) => steps.push(step) })
    expect(steps).toEqual([])
  })

  test('merged nodes lead back to all they were made of', () => {
    const marked = (expr: Expr, start: number): Expr => ({ ...expr, origin: at({ start, end: start + 1 }) })
    const two = filter(filter(scan(), marked(value('a', 'x'), 3)), marked(value('b', 'y'), 9))
    const done = optimize(boundPlan(two), { context, disabled: ['push-filter'] })
    const origin = done.kind === 'filter' ? done.predicate.origin : undefined
    expect(origin?.kind === 'derived' ? origin.from.map((from) => spanOf(from)?.start) : []).toEqual([3, 9])
  })
})

describe('guards', () => {
  const guard = testOf(column('namespace'), { kind: 'equals', value: 'shop', isFolded: false, isTyped: false })
  const inner: Expr = {
    kind: 'in-subquery',
    arg: column('pod'),
    plan: project(scan(), 'pod'),
    mode: 'in',
    isFolded: true,
    listsMissing: false,
    origin: { kind: 'none' },
  }
  const plan = union(filter(scan(), inner), limit(scan(), 5))

  test('stand on every scan, subqueries included, and stay there', () => {
    const scoped = applyScope(boundPlan(plan), (table) => (table === 'logs' ? guard : undefined))
    expect(printPlan(scoped).match(/scan logs always guarded/g)).toHaveLength(3)
    const done = optimize(scoped, { context, observe: (step) => expectKept(step.before, step.after) })
    expect(printPlan(done).match(/scan logs always (columns=\(pod\) )?guarded/g)).toHaveLength(3)
  })

  test('a guard already there is kept', () => {
    const twice = applyScope(
      applyScope(boundPlan(scan()), () => guard),
      () => not(guard),
    )
    expect(twice.kind === 'scan' && twice.guard?.kind).toBe('and')
  })

  test('no scope changes nothing', () => {
    const bound = boundPlan(plan)
    expect(applyScope(bound, () => undefined)).toBe(bound)
  })
})

test('optimizing random plans ends, and the plans stay sound', () => {
  let seed = 7
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % n
  }
  const names = ['level', 'status', 'a', 'b', '_time']
  const name = (): string => present(names[random(names.length)])
  const predicate = (): Expr =>
    present(
      [value(name(), 'x'), not(value(name(), 'y')), level(value(name(), 'x'), wild(name(), 'y*')), time(0n, 5n)][
        random(4)
      ],
    )
  const make = (depth: number): LogicalPlan => {
    if (depth === 0) return scan('', random(2) === 0 ? hour : undefined)
    const input = make(depth - 1)
    switch (random(9)) {
      case 0:
        return limit(input, random(5), random(3))
      case 1:
        return sort(
          input,
          [{ expr: column(name()), direction: random(2) === 0 ? 'asc' : 'desc' }],
          random(2) === 0 ? {} : { limit: random(4) },
        )
      case 2:
        return project(input, name(), name(), 'c*')
      case 3:
        return aggregate(input, { level: column('level'), _time: column('_time') }, { n: agg('count') })
      case 4:
        return union(input, make(depth - 1))
      default:
        return filter(input, predicate())
    }
  }
  for (let i = 0; i < 400; i++) expect(optimized(make(1 + random(6)))).toContain('\n')
})
