import { describe, expect, test } from 'vitest'
import { collect, SluiceError, interval } from '../../src/base/index.ts'
import { rowToJson } from '../../src/data/index.ts'
import { Engine, printMermaid, printSteps, readRows } from '../../src/engine/index.ts'
import { column, printPlan, test as testOf, type Expr, type LogicalPlan, type Table } from '../../src/plan/index.ts'
import { agg, aggregate, extend, filter, limit, project, scan, sort, union, value } from '../analyze/plans.ts'
import { columnarOver, minuteNs, mixedRows, rowsOver, startNs } from './data.ts'

const rows = mixedRows(200)
const engine = new Engine({ backends: [columnarOver(rows), rowsOver(rows)], lint: 'off' })
const nowhere = { kind: 'none' } as const

function inSubquery(name: string, plan: LogicalPlan): Expr {
  return {
    kind: 'in-subquery',
    arg: column(name),
    plan,
    mode: 'in',
    isFolded: true,
    listsMissing: false,
    origin: nowhere,
  }
}

async function texts(plan: LogicalPlan, options = {}): Promise<readonly string[]> {
  return (await collect(readRows(engine.queryPlan(plan, options).batches()))).map((row) => rowToJson(row))
}

describe('answers', () => {
  test('a count', async () => {
    expect(await texts(aggregate(scan(), {}, { n: agg('count') }))).toEqual(['{"n":200}'])
  })

  test('the schema is known before anything is read, and groups are distinguished from rows', () => {
    const groups = engine.queryPlan(aggregate(scan(), { pod: column('pod') }, { n: agg('count') }))
    expect(groups.schema.fields.map((f) => f.name)).toEqual(['pod', 'n'])
    expect(groups.isAggregate).toBe(true)
    expect(engine.queryPlan(limit(scan(), 5)).isAggregate).toBe(false)
  })

  test('a query runs again when it is read again', async () => {
    const result = engine.queryPlan(limit(scan(), 3))
    expect(await collect(readRows(result.batches()))).toEqual(await collect(readRows(result.batches())))
    expect(result.statistics().rows).toBe(3)
  })

  test('any backend by name', async () => {
    const plan = limit(sort(scan(), [{ expr: column('duration_ms'), direction: 'desc' }]), 10)
    expect(await texts(plan, { backend: 'rows' })).toEqual(await texts(plan, { backend: 'columnar' }))
    expect(() => engine.queryPlan(plan, { backend: 'sqlite' })).toThrow('There is no backend named `sqlite`')
  })
})

describe('the range of the request', () => {
  const count = (plan: LogicalPlan): LogicalPlan => aggregate(plan, {}, { n: agg('count') })
  const range = interval(startNs, startNs + 5n * minuteNs)
  const inside = rows.filter((row) => row.timeNs < range.endNs).length

  test('cuts every scan, those of subqueries and unions included', async () => {
    expect(await texts(count(scan()), { range })).toEqual([`{"n":${inside}}`])
    expect(await texts(count(union(scan(), scan())), { range })).toEqual([`{"n":${inside * 2}}`])
    const pods = project(
      filter(scan(), testOf(column('_time'), { kind: 'time-range', range: interval(range.endNs, range.endNs * 2n) })),
      'pod',
    )
    expect(await texts(count(filter(scan(), inSubquery('pod', pods))), { range })).toEqual(['{"n":0}'])
  })

  test('an empty range is no error, a reversed one is', async () => {
    expect(await texts(scan(), { range: interval(startNs, startNs) })).toEqual([])
    expect(() => engine.queryPlan(scan(), { range: interval(5n, 4n) })).toThrow('ends before it starts')
  })
})

describe('subqueries', () => {
  test('run first, and their values become a test', async () => {
    const pods = project(filter(scan(), value('level', 'warn')), 'pod')
    const expected = new Set(rows.filter(({ row }) => row.get('level') === 'warn').map(({ row }) => row.get('pod')))
    const result = engine.queryPlan(filter(scan(), inSubquery('pod', pods)))
    const answer = await collect(readRows(result.batches()))
    expect(answer.length).toBe(
      rows.filter(({ row }) => row.get('pod') !== undefined && expected.has(row.get('pod'))).length,
    )
    expect(result.explain().inputs[0]?.notes).toContain('subquery: ran first')
  })

  test('inside subqueries too', async () => {
    const inner = project(filter(scan(), value('status', '500')), 'pod')
    const outer = project(filter(scan(), inSubquery('pod', inner)), 'level')
    expect((await texts(limit(filter(scan(), inSubquery('level', outer)), 3))).length).toBe(3)
  })

  test('missing values are in no list', async () => {
    const nothing = project(filter(scan(), value('pod', '')), 'pod')
    expect(await texts(filter(scan(), inSubquery('pod', nothing)))).toEqual([])
  })

  test('a limit on their values', async () => {
    const pods = project(scan(), 'pod')
    const result = engine.queryPlan(filter(scan(), inSubquery('pod', pods)), { limits: { subqueryValues: 2 } })
    await expect(result.toArray()).rejects.toMatchObject({ code: 'engine/subquery-too-large' })
  })
})

describe('limits', () => {
  test('rows that may be read', async () => {
    await expect(engine.queryPlan(scan(), { limits: { scanRows: 10 } }).toArray()).rejects.toMatchObject({
      code: 'budget/rows',
    })
  })

  test('memory', async () => {
    const plan = sort(scan(), [{ expr: column('content'), direction: 'asc' }])
    const result = engine.queryPlan(plan, { limits: { memoryBytes: 1000 } })
    await expect(result.toArray()).rejects.toMatchObject({ code: 'budget/memory' })
  })

  test('time', async () => {
    let nowMs = 0
    const slow = new Engine({
      backends: [rowsOver(rows)],
      lint: 'off',
      clock: { nowMs: () => (nowMs += 40_000), nowNs: () => 0n },
    })
    await expect(slow.queryPlan(scan()).toArray()).rejects.toMatchObject({ code: 'budget/deadline' })
  })

  test('a cancelled query stops', async () => {
    const controller = new AbortController()
    const result = engine.queryPlan(scan(), { signal: controller.signal, limits: { batchRows: 1 } })
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const row of readRows(result.batches())) {
        seen.push(row)
        if (seen.length === 3) controller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'budget/cancelled' })
    expect(seen).toHaveLength(3)
  })

  test('reading less than everything stops the work', async () => {
    const result = engine.queryPlan(scan(), { limits: { batchRows: 1 } })
    for await (const row of readRows(result.batches())) {
      expect(row.size).toBeGreaterThan(0)
      break
    }
    expect(result.statistics().rows).toBe(1)
  })
})

describe('the data scope', () => {
  const onlyP1 = testOf(column('pod'), { kind: 'equals', value: 'p1', isFolded: false, isTyped: false })
  const visible = rows.filter(({ row }) => row.get('pod') === 'p1').length

  test('guards every scan, also inside subqueries', async () => {
    const scope = (table: string): Expr | undefined => (table === 'logs' ? onlyP1 : undefined)
    expect(await texts(aggregate(scan(), {}, { n: agg('count') }), { scope })).toEqual([`{"n":${visible}}`])
    const others = project(filter(scan(), value('pod', 'p2')), 'pod')
    expect(await texts(filter(scan(), inSubquery('pod', others)), { scope })).toEqual([])
    const renamed = extend(scan(), { pod: { kind: 'literal', value: 'p1', origin: nowhere } })
    expect((await texts(filter(renamed, value('pod', 'p1')), { scope })).length).toBe(visible)
  })
})

describe('explain', () => {
  const plan = limit(sort(filter(scan(), value('severity', 'error')), [{ expr: column('ts'), direction: 'desc' }]), 5)

  test('nothing runs for it', () => {
    const tree = engine.queryPlan(plan).explain()
    expect(`${tree.kind} ${tree.label}`).toBe('limit 5')
    expect(tree.measured).toBeUndefined()
  })

  test('after a run it has measures', async () => {
    const result = engine.queryPlan(plan)
    await collect(readRows(result.batches()))
    expect(result.explain().measured?.rows).toBe(5)
    const statistics = result.statistics()
    expect(statistics.rows).toBe(5)
    expect(statistics.scannedRows).toBeGreaterThan(0)
    expect(statistics.milliseconds).toBeGreaterThan(0)
    expect(statistics.summary).toMatch(/^Of [\d.]+ ms, \d+ % went into `.+`\./)
  })

  test('the steps of the optimizer', () => {
    const { bound, steps, optimized } = engine.compilePlan(plan)
    const text = printSteps(bound, steps)
    expect(text.startsWith(`bound\n${printPlan(bound, '  ')}`)).toBe(true)
    expect(text.endsWith(printPlan(optimized, '  '))).toBe(true)
    expect(text).toContain('remove-sort, pass 1: Rows that come in the wanted order')
  })

  test('a mermaid chart', () => {
    expect(printMermaid(engine.queryPlan(plan).explain())).toBe(
      [
        'flowchart BT',
        '  n0["<b>limit</b> columnar<br/>5"]',
        '  n1["<b>scan</b> columnar<br/>logs always where level = i:&quot;error&quot;"]',
        '  n1 --> n0',
      ].join('\n'),
    )
  })

  test('a plan with subqueries, before they have run', () => {
    const tree = engine.queryPlan(filter(scan(), inSubquery('pod', project(scan(), 'pod')))).explain()
    expect(tree.inputs.map((input) => input.notes)).toContainEqual(['subquery: runs first'])
  })
})

describe('lints', () => {
  const own = rowsOver(rows)
  const tables = new Map([['logs', { rowsIn: () => 1, knownFields: () => undefined } as unknown as Table]])
  const warned = new Engine({ backends: [{ ...own, tables }], limits: { manyRows: 0, costlyRows: 0 } })
  test('warn, keep quiet or refuse', () => {
    const codes = warned.queryPlan(scan()).diagnostics.map((d) => `${d.severity} ${d.code}`)
    expect(codes).toEqual(['warning lint/no-limit', 'info lint/wide-time-range'])
    expect(warned.queryPlan(scan(), { disabledLints: ['no-limit'] }).diagnostics).toHaveLength(1)
    expect(warned.queryPlan(scan(), { lint: 'off' }).diagnostics).toEqual([])
    expect(() => warned.queryPlan(scan(), { lint: 'enforce' })).toThrow(SluiceError)
    expect(warned.queryPlan(limit(scan(), 5), { lint: 'enforce' }).diagnostics).toHaveLength(1)
  })
})

test('a rule that does not exist cannot be switched off', () => {
  expect(() => engine.queryPlan(scan(), { disabledRules: ['push-filtr'] })).toThrow('Nearest: `push-filter`')
})

test('errors of a plan are thrown together, nothing runs', () => {
  const plan = filter(project(scan(), 'a'), { ...value('b', 'x') })
  expect(() => engine.queryPlan(extend(plan, { c: column('d') }))).toThrow(/no column `b`.*no column `d`/)
})
