import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { always, nowhere, present, SluiceError, type Interval } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  and,
  column,
  not,
  test as testExpr,
  type ExplainTree,
  type Expr,
  type LogicalPlan,
} from '../../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../../src/store/index.ts'
import { dayStartNs, storedRows } from '../../../bench/datasets.ts'
import { answer, linesOf, newBudget, newContext } from './answer.ts'

const ROWS = 20_000
const SEGMENTS = 5
const store = createMemoryStore(standardCatalog)
let at = 0
for (const row of storedRows({ rows: ROWS, seed: 5 })) {
  store.table('logs').writer.appendRows([row])
  if (++at % (ROWS / SEGMENTS) === 0) store.table('logs').seal()
}
const backend = columnarBackend(store, standardFunctions)
const origin = nowhere

function scan(predicate?: Expr, range: Interval = always, guard?: Expr): LogicalPlan {
  return {
    kind: 'scan',
    table: 'logs',
    tableSchema: logsTable.schema,
    range,
    predicate,
    guard,
    columns: undefined,
    origin,
  }
}

function word(text: string): Expr {
  return testExpr(column('content'), { kind: 'phrase', text, isFolded: true })
}

function is(name: string, value: string): Expr {
  return testExpr(column(name), { kind: 'equals', value, isFolded: true, isTyped: true })
}

function newest(input: LogicalPlan, limit: number, offset = 0): LogicalPlan {
  return { kind: 'limit', input, offset, limit, origin }
}

function counted(input: LogicalPlan, ...keys: Expr[]): LogicalPlan {
  const call = { fn: 'count', args: [], params: [], limit: undefined, orderBy: [], filter: undefined, origin }
  return {
    kind: 'aggregate',
    input,
    keys: keys.map((expr, i) => ({ name: `k${i}`, expr, type: 'any' })),
    aggregates: [{ name: 'n', type: 'integer', call }],
    origin,
  }
}

const hour = 3_600_000_000_000n
const minuteBucket: Expr = {
  kind: 'bucket',
  arg: column('_time'),
  bucket: { kind: 'time', widthNs: 60_000_000_000n, offsetNs: 0n, zone: undefined },
  origin,
}

/** Returns the counters of the scan at the bottom of the plan. */
async function scanCounters(plan: LogicalPlan): Promise<Readonly<Record<string, number>>> {
  const prepared = backend.prepare(plan, newContext(1000))
  await linesOf(prepared)
  let tree: ExplainTree = prepared.explain()
  while (tree.inputs[0] !== undefined) tree = tree.inputs[0]
  expect(tree.kind).toBe('scan')
  return tree.measured?.counters ?? {}
}

describe('what a query reads', () => {
  test('a needle: segments without the word are skipped', async () => {
    const counters = await scanCounters(newest(scan(word('zyxquartz')), 100))
    expect(counters).toEqual({
      segmentsTotal: SEGMENTS,
      segmentsSkipped: SEGMENTS - 1,
      rowsScanned: ROWS / SEGMENTS,
      postingsRead: 1,
    })
  })

  test('a common word, newest first: only the newest segment is looked at', async () => {
    const counters = await scanCounters(newest(scan(word('request')), 100))
    expect(counters['rowsScanned']).toBe(ROWS / SEGMENTS)
    expect(counters['bytesTouched']).toBeUndefined()
  })

  test('a common word, counted: no rows at all', async () => {
    expect(await scanCounters(counted(scan(word('request'))))).toEqual({
      segmentsTotal: SEGMENTS,
      segmentsSkipped: 0,
      segmentsCounted: SEGMENTS,
    })
  })

  test('five minutes: segments outside are skipped', async () => {
    const range = { startNs: dayStartNs + 13n * hour, endNs: dayStartNs + 13n * hour + hour / 12n }
    const counters = await scanCounters(
      newest(scan(and([is('level', 'error'), is('namespace', 'payments')]), range), 100),
    )
    expect(counters['segmentsSkipped']).toBe(SEGMENTS - 1)
    expect(counters['rowsScanned']).toBeLessThan(ROWS / 200)
  })

  test('groups by code and by minute: counts of codes, bounds of buckets', async () => {
    const expected = { segmentsTotal: SEGMENTS, segmentsSkipped: 0, segmentsCounted: SEGMENTS }
    expect(await scanCounters(counted(scan(), column('level')))).toEqual(expected)
    expect(await scanCounters(counted(scan(), minuteBucket))).toEqual(expected)
  })

  test('top by number: few zones', async () => {
    const plan: LogicalPlan = {
      kind: 'sort',
      input: scan(is('level', 'error')),
      keys: [{ expr: column('duration_ms'), direction: 'desc' }],
      offset: 0,
      limit: 3,
      partitionBy: [],
      rankName: undefined,
      origin,
    }
    expect((await scanCounters(plan))['rowsScanned']).toBeLessThanOrEqual(ROWS / 4)
  })

  test('a trace: the order of codes, no column is read', async () => {
    const [line] = await answer(backend, newest(scan(), 1), 1)
    const trace = /trace_id=4:(\w+)/.exec(present(line))?.[1] ?? ''
    const counters = await scanCounters(newest(scan(is('trace_id', trace)), 100))
    const found = await answer(backend, newest(scan(is('trace_id', trace)), 100), 100)
    expect(found.length).toBeGreaterThan(0)
    expect(counters['postingsRead']).toBe(found.length)
    expect(counters['bytesTouched']).toBeUndefined()
  })

  test('a substring: the bytes of the texts', async () => {
    const contains = testExpr(column('content'), { kind: 'contains', text: 'nection re', isFolded: true })
    const bytes = store
      .table('logs')
      .view.snapshot()
      .reduce((sum, segment) => {
        const text = segment.columns.get('content')?.column
        return sum + (text?.kind === 'text' ? text.bytes.length : 0)
      }, 0)
    expect((await scanCounters(counted(scan(contains))))['bytesTouched']).toBe(bytes)
  })
})

describe('guards', () => {
  test('no count or code list speaks of rows behind the guard', async () => {
    const guard = is('namespace', 'payments')
    const visible = Number(present((await answer(backend, counted(scan(guard)), 10))[0]).slice('n=2:'.length))
    for (const plan of [counted(scan(undefined, always, guard)), counted(scan(not(word('absent')), always, guard))]) {
      expect(await answer(backend, plan, 10)).toEqual([`n=2:${visible}`])
    }
    const levels = await answer(backend, counted(scan(undefined, always, guard), column('level')), 10)
    expect(levels.reduce((sum, line) => sum + Number(line.split('n=2:')[1]), 0)).toBe(visible)
    const distinct: LogicalPlan = {
      kind: 'distinct',
      input: scan(undefined, always, guard),
      keys: ['namespace'],
      hitsName: undefined,
      limit: undefined,
      origin,
    }
    expect(await answer(backend, distinct, 10)).toEqual(['namespace=4:payments'])
  })
})

describe('limits', () => {
  const sorted: LogicalPlan = {
    kind: 'sort',
    input: scan(),
    keys: [{ expr: column('content'), direction: 'asc' }],
    offset: 0,
    limit: undefined,
    partitionBy: [],
    rankName: undefined,
    origin,
  }
  async function code(plan: LogicalPlan, budget = newBudget()): Promise<string> {
    try {
      await linesOf(backend.prepare(plan, newContext(1000, budget)))
      return 'done'
    } catch (error) {
      return error instanceof SluiceError ? error.code : String(error)
    }
  }

  test('memory, rows, time, cancelling', async () => {
    expect(await code(sorted)).toBe('done')
    expect(await code(sorted, newBudget({ memoryBytes: 100_000 }))).toBe('budget/memory')
    expect(await code(counted(scan(), column('trace_id'), column('pod')), newBudget({ memoryBytes: 10_000 }))).toBe(
      'budget/memory',
    )
    expect(await code(sorted, newBudget({ scanRows: 1000 }))).toBe('budget/rows')
    expect(await code(sorted, newBudget({ timeoutMs: -1 }))).toBe('budget/deadline')
    const budget = newBudget()
    budget.cancel()
    expect(await code(sorted, budget)).toBe('budget/cancelled')
  })

  test('rows under a guard: all that it lets through count, whatever is looked at', async () => {
    const guard = is('level', 'error')
    const visible = (await answer(backend, scan(undefined, always, guard), 1000)).length
    expect(visible).toBeGreaterThan(100)
    const half: Interval = { startNs: dayStartNs, endNs: dayStartNs + 43_200_000_000_000n }
    const inHalf = (await answer(backend, scan(undefined, half, guard), 1000)).length
    expect([inHalf > 100, inHalf < visible, visible < ROWS / 2]).toEqual([true, true, true])
    for (const [plan, rows] of [
      [scan(undefined, always, guard), visible],
      [scan(word('no such word'), always, guard), visible],
      [newest(scan(undefined, always, guard), 1), visible],
      [counted(scan(undefined, always, guard)), visible],
      [{ ...sorted, input: scan(undefined, half, guard), limit: 2 }, inHalf],
    ] as const) {
      expect(await code(plan, newBudget({ scanRows: rows }))).toBe('done')
      expect(await code(plan, newBudget({ scanRows: rows - 1 }))).toBe('budget/rows')
    }
  })

  test('the event loop runs between the batches of an answer', async () => {
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5))
    onTestFinished(() => void vi.restoreAllMocks())
    let turns = 0
    let isOver = false
    const tick = (): void => {
      turns++
      if (!isOver) setImmediate(tick)
    }
    setImmediate(tick)
    await answer(backend, scan(), 100)
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(ROWS / 100)
  })

  test('a query cancelled in the middle stops', async () => {
    const budget = newBudget()
    const slow = counted(
      scan(testExpr(column('content'), { kind: 'regexp', pattern: '(a|b)*c(d|e)*f', isFolded: true })),
    )
    setImmediate(() => budget.cancel())
    expect(await code(slow, budget)).toBe('budget/cancelled')
  })
})
