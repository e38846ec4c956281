// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { always, Budget, nowhere, present, SluiceError, type BudgetLimits } from '../../../src/base/index.ts'
import { sqliteBackend, type SqliteBackend } from '../../../src/backends/sql/index.ts'
import { defineScalar, Registry } from '../../../src/functions/index.ts'
import type { LogicalPlan } from '../../../src/plan/index.ts'
import { call, column, test as tested } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import {
  openSqlite,
  sqliteTelemetry,
  type SqliteConnection,
  type SqliteTelemetry,
} from '../../../src/store/sqlite/index.ts'
import { childrenOf } from '../../harness/children-of.ts'
import { randomRows } from './random-data.ts'
import { randomPlan, scanOf } from './random-plan.ts'
import { answer, functions, logRow, Random } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-child-'))
let connection: SqliteConnection
let telemetry: SqliteTelemetry
let child: SqliteBackend
let inProcess: SqliteBackend

beforeAll(async () => {
  connection = await openSqlite(join(folder, 'logs.db'), { durability: 'normal' })
  telemetry = sqliteTelemetry(connection, standardCatalog)
  telemetry.append('logs', randomRows(new Random(7), { rows: 3000, isWild: true, isInOrder: true }))
  child = sqliteBackend(telemetry, functions, { mode: 'child', processes: 2 })
  inProcess = sqliteBackend(telemetry, functions, { mode: 'in-process' })
})

afterAll(async () => {
  await child.close()
  await inProcess.close()
  connection.close()
  rmSync(folder, { recursive: true })
})

test('functions of a user are not run in the pool of processes', async () => {
  const doubled = defineScalar({
    name: 'doubled',
    parameters: [{ name: 'n', type: 'number' }],
    returns: 'number',
    evaluate: (n) => n * 2,
    doc: { summary: 'Twice the number.' },
  })
  const own = { ...functions, scalar: new Registry([...functions.scalar.all, doubled]) }
  const expr = call('doubled', [column('duration_ms')])
  const plan: LogicalPlan = {
    kind: 'extend',
    input: scanOf({ columns: ['duration_ms'] }),
    assignments: [{ name: 'x', expr, type: 'any' }],
    origin: nowhere,
  }
  const pool = sqliteBackend(telemetry, own, { mode: 'child', processes: 1 })
  expect(pool.accept(plan)).toMatchObject({ kind: 'not', reason: 'there is no function `doubled`' })
  expect(sqliteBackend(telemetry, own, { mode: 'in-process' }).accept(plan)).toEqual({ kind: 'whole' })
  await pool.close()
})

/** Returns a plan with 3,000³ combinations, each tested by host code: it never completes in practice. */
function endless(): LogicalPlan {
  const all = scanOf({ columns: ['content'] })
  const cross = (left: LogicalPlan, right: LogicalPlan, prefix: string): LogicalPlan => ({
    kind: 'join',
    left,
    right,
    type: 'cross',
    on: [],
    prefix,
    prefixMode: 'all',
    origin: nowhere,
  })
  return {
    kind: 'aggregate',
    input: {
      kind: 'filter',
      input: cross(cross(all, all, 'a'), all, 'b'),
      predicate: tested(
        {
          kind: 'case',
          branches: [{ when: tested(column('content'), { kind: 'empty' }), value: column('acontent') }],
          otherwise: column('bcontent'),
          origin: nowhere,
        },
        { kind: 'regexp', pattern: 'never so', isFolded: false },
      ),
      origin: nowhere,
    },
    keys: [],
    aggregates: [
      {
        name: 'n',
        type: 'integer',
        call: { fn: 'count', args: [], params: [], limit: undefined, orderBy: [], filter: undefined, origin: nowhere },
      },
    ],
    origin: nowhere,
  }
}

async function runWith(backend: SqliteBackend, plan: LogicalPlan, budget: Budget): Promise<void> {
  for await (const _ of backend.prepare(plan, { budget, nowNs: 0n, range: always, batchRows: 10 }).run()) continue
}

function budgetOf(timeoutMs: number, memoryBytes = 1 << 30, signal?: AbortSignal): Budget {
  return new Budget({ memoryBytes, timeoutMs, scanRows: Infinity }, () => performance.now(), signal)
}

async function codeOf(run: Promise<void>): Promise<string> {
  return run.then(
    () => 'no error',
    (error: unknown) => (error instanceof SluiceError ? error.code : String(error)),
  )
}

describe('statements in processes of their own', () => {
  test('answer as statements in this process do', async () => {
    const random = new Random(11)
    for (let i = 0; i < 60; i++) {
      const plan = randomPlan(random, 2)
      if (child.accept(plan).kind === 'not') continue
      expect(await answer(child, plan, 37)).toEqual(await answer(inProcess, plan, 100))
    }
  })

  test('two at once, and more wait for their turn', async () => {
    const plan = scanOf()
    const wanted = await answer(inProcess, plan)
    const answers = await Promise.all(Array.from({ length: 5 }, () => answer(child, plan)))
    for (const found of answers) expect(found).toEqual(wanted)
  })

  test('an answer left early ends its statement', async () => {
    for (let i = 0; i < 5; i++) {
      const budget = budgetOf(600_000)
      const batches = child.prepare(scanOf(), { budget, nowNs: 0n, range: always, batchRows: 10 }).run()
      for await (const batch of batches) {
        expect(batch.rowCount).toBe(10)
        break
      }
    }
    expect(await answer(child, scanOf({ columns: ['level'] }))).toHaveLength(3000)
  })

  test('are killed when their time is over', async () => {
    expect(await codeOf(runWith(child, endless(), budgetOf(300)))).toBe('budget/deadline')
    expect(await answer(child, scanOf({ columns: ['level'] }))).toHaveLength(3000)
  })

  test('leave a signal to all processes to the one that started them', async () => {
    const others = new Set(childrenOf(process.pid))
    const pool = sqliteBackend(telemetry, functions, { mode: 'child', processes: 1 })
    expect(await answer(pool, scanOf({ columns: ['level'] }))).toHaveLength(3000)
    const own = (): readonly number[] => childrenOf(process.pid).filter((pid) => !others.has(pid))
    const [pid] = own()
    const abort = new AbortController()
    const run = codeOf(runWith(pool, endless(), budgetOf(600_000, 1 << 30, abort.signal)))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(present(pid), signal)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(own()).toContain(pid)
    abort.abort()
    expect(await run).toBe('budget/cancelled')
    await pool.close()
  })

  test('are killed when the query is cancelled, by that and not by a look now and then', async () => {
    vi.spyOn(globalThis, 'setInterval').mockReturnValue(undefined as never)
    const abort = new AbortController()
    const run = codeOf(runWith(child, endless(), budgetOf(600_000, 1 << 30, abort.signal)))
    await new Promise((resolve) => setTimeout(resolve, 200))
    abort.abort()
    vi.restoreAllMocks()
    expect(await run).toBe('budget/cancelled')
  })

  test('refuse a value that is too long in the same words as statements in this process', async () => {
    const values: LogicalPlan = {
      kind: 'aggregate',
      input: scanOf({ columns: ['content'] }),
      keys: [],
      aggregates: [
        {
          name: 'all',
          type: 'any',
          call: {
            fn: 'values',
            args: [column('content')],
            params: [],
            orderBy: [],
            limit: undefined,
            filter: undefined,
            origin: nowhere,
          },
        },
      ],
      origin: nowhere,
    }
    const told = async (backend: SqliteBackend, limits: Partial<BudgetLimits>): Promise<unknown> => {
      const all = { memoryBytes: 1 << 30, timeoutMs: 600_000, scanRows: Infinity, ...limits }
      return runWith(backend, values, new Budget(all, () => performance.now())).catch((error: unknown) => error)
    }
    for (const [limits, code] of [
      [{ valueChars: 1000 }, 'budget/value-length'],
      [{ valueItems: 2999 }, 'budget/value-items'],
    ] as const) {
      const found = await told(child, limits)
      expect(found).toMatchObject({ code })
      expect(found).toEqual(await told(inProcess, limits))
    }
    expect(await told(child, { valueItems: 3000 })).toBeUndefined()
  })

  test('are killed when they take more memory than the query may', async () => {
    const all = scanOf({ columns: ['content'] })
    const gathered: LogicalPlan = {
      kind: 'aggregate',
      input: {
        kind: 'join',
        left: all,
        right: all,
        type: 'cross',
        on: [],
        prefix: 'r',
        prefixMode: 'all',
        origin: nowhere,
      },
      keys: [],
      aggregates: [
        {
          name: 'v',
          type: 'any',
          call: {
            fn: 'count_uniq',
            args: [column('content'), column('rcontent')],
            params: [],
            limit: undefined,
            orderBy: [],
            filter: undefined,
            origin: nowhere,
          },
        },
      ],
      origin: nowhere,
    }
    expect(await codeOf(runWith(child, gathered, budgetOf(600_000, 16 << 20)))).toBe('budget/memory')
    expect(await answer(child, scanOf({ columns: ['level'] }))).toHaveLength(3000)
  })

  test('are compiled again when the data has something new', async () => {
    const plan = scanOf({
      predicate: tested(column('workload'), { kind: 'equals', value: 'brand-new', isFolded: true, isTyped: true }),
    })
    const prepared = child.prepare(plan, { budget: budgetOf(600_000), nowNs: 0n, range: always, batchRows: 10 })
    const last = connection.prepare('SELECT last_sequence FROM sluice_table').pluck().get()
    telemetry.append('logs', [logRow(Number(last) + 1, 2_000_000_000_000_000_000n, { workload: 'Brand-New' })])
    let rows = 0
    for await (const batch of prepared.run()) rows += batch.rowCount
    expect(rows).toBe(1)
  })
})

describe('statements in this process', () => {
  test('look now and then whether they must stop', async () => {
    expect(await codeOf(runWith(inProcess, endless(), budgetOf(200)))).toBe('budget/deadline')
  })

  test('let rows be added while an answer is read', async () => {
    const prepared = inProcess.prepare(scanOf(), { budget: budgetOf(600_000), nowNs: 0n, range: always, batchRows: 10 })
    let rows = 0
    const before = (await answer(inProcess, scanOf({ columns: ['level'] }))).length
    for await (const batch of prepared.run()) {
      if (rows === 0) {
        const last = connection.prepare('SELECT last_sequence FROM sluice_table').pluck().get()
        telemetry.append('logs', [logRow(Number(last) + 1, 2_000_000_000_000_000_001n, { workload: 'w1' })])
      }
      rows += batch.rowCount
    }
    expect(rows).toBe(before)
  })
})
