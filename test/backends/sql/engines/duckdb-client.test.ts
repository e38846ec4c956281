// @module-tag slow
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Budget, SluiceError, present } from '../../../../src/base/index.ts'
import { serveEngine } from '../../../../src/backends/sql/drivers/engine-server.ts'
import { EngineProcess, type EngineLoss } from '../../../../src/backends/sql/drivers/engine-process.ts'
import { duckdbClient } from '../../../../src/backends/sql/engines/duckdb-client.ts'
import { duckdbEngine } from '../../../../src/backends/sql/engines/duckdb.ts'
import type { ForeignBatch, ForeignEngine, ForeignForm, ForeignStatement } from '../../../../src/backends/sql/index.ts'
import { PATIENCE_MS } from '../../../harness/patience.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-duckdb-client-'))
const path = join(folder, 'logs.duckdb')
const lost: EngineLoss[] = []
let started: EngineProcess
let there: ForeignEngine
let here: ForeignEngine

const start = (more: Partial<Parameters<typeof EngineProcess.start>[0]> = {}): Promise<EngineProcess> =>
  EngineProcess.start({
    address: { name: 'duckdb', path },
    ceilingBytes: 2 ** 32,
    scratchBytes: 2 ** 30,
    onLost: (why) => lost.push(why),
    ...more,
  })

beforeAll(async () => {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE logs AS SELECT i AS id, 'request ' || i AS message FROM range(100000) t(i)`)
  connection.closeSync()
  instance.closeSync()
  started = await start()
  there = duckdbClient(started.socket, PATIENCE_MS)
  here = await duckdbEngine({ path })
})

afterAll(async () => {
  await Promise.all([there.close(), here.close()])
  await started.close()
  rmSync(folder, { recursive: true })
})

const budgetOf = (limits: { timeoutMs?: number; memoryBytes?: number } = {}, signal?: AbortSignal): Budget =>
  new Budget(
    { memoryBytes: 2 ** 28, timeoutMs: 600_000, scanRows: Infinity, ...limits },
    () => performance.now(),
    signal,
  )

const statementOf = (sql: string, ...forms: ForeignForm[]): ForeignStatement => ({ sql, parameters: [], forms })

async function rowsOf(
  engine: ForeignEngine,
  statement: ForeignStatement,
  budget = budgetOf(),
): Promise<readonly (readonly unknown[])[]> {
  const rows: unknown[][] = []
  for await (const { rowCount, columns } of engine.run(statement, { budget, batchRows: 1000 }))
    for (let i = 0; i < rowCount; i++) rows.push(columns.map((column) => column[i]))
  return rows
}

async function errorOf(work: Promise<unknown>): Promise<SluiceError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof SluiceError) return error
  throw new Error(`no error in words: ${String(error)}`)
}

/** Returns the processor time of the database process so far, in milliseconds. */
function usedMs(): number {
  const stat = readFileSync(`/proc/${present(started.pid)}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function isAtRest(): Promise<boolean> {
  const before = usedMs()
  await sleep(300)
  return usedMs() - before < 150
}

/** A statement that never completes in practice. */
const ENDLESS = statementOf('SELECT count(*) FROM logs a, logs b, logs c WHERE a.id + b.id + c.id = -1', 'int64')

describe('a database in a process of its own', () => {
  test('gives every kind of value as in this process', async () => {
    const statement = statementOf(
      `SELECT * FROM (VALUES
        ('ä€😀', 1.5::DOUBLE, 9223372036854775807, true, '{"a":[1]}'),
        ('', 'nan'::DOUBLE, -9223372036854775808, false, 'null'),
        (NULL, 'inf'::DOUBLE, NULL, NULL, NULL),
        ('x', -0.0::DOUBLE, 0, true, '"y"'))`,
      'text',
      'double',
      'int64',
      'bool',
      'json',
    )
    const found = await rowsOf(there, statement)
    expect(found).toEqual(await rowsOf(here, statement))
    expect(found[1]).toEqual(['', NaN, -(2n ** 63n), false, 'null'])
    const wide = statementOf('SELECT 170141183460469231731687303715884105727::HUGEINT', 'int64')
    expect(await rowsOf(there, wide)).toEqual([[2n ** 127n - 1n]])
  })

  test('gives all rows in their order, in batches of at most so many', async () => {
    const statement = statementOf('SELECT id, message FROM logs ORDER BY id', 'int64', 'text')
    expect(await rowsOf(there, statement)).toEqual(await rowsOf(here, statement))
  })

  test('takes parameters', async () => {
    const statement: ForeignStatement = {
      sql: 'SELECT $1, $2, $3',
      parameters: ['a', 5n, null].map((value, i) => ({ kind: 'value', name: `${i + 1}`, value })),
      forms: ['text', 'int64', 'text'],
    }
    expect(await rowsOf(there, statement)).toEqual([['a', 5n, null]])
  })

  test('describes, settles and explains', async () => {
    const source = { kind: 'table', path: ['logs'] } as const
    expect(await there.describe(source)).toEqual(await here.describe(source))
    expect(await there.settle?.(source)).toEqual(source)
    expect(await there.explain(statementOf('SELECT id FROM logs'))).toEqual(
      await here.explain(statementOf('SELECT id FROM logs')),
    )
  })

  test('says what is wrong in the same words', async () => {
    const wrong = statementOf('SELECT nope FROM logs', 'text')
    const told = await errorOf(rowsOf(there, wrong))
    expect(told.diagnostics).toEqual((await errorOf(rowsOf(here, wrong))).diagnostics)
    const absent = { kind: 'table', path: ['nope'] } as const
    expect((await errorOf(there.describe(absent))).code).toBe('foreign/no-source')
    // The connection that reported the error remains usable.
    expect(await rowsOf(there, statementOf('SELECT 1', 'int64'))).toEqual([[1n]])
  })

  test('a database that cannot be opened is reported as such', async () => {
    const opening = start({ address: { name: 'duckdb', path: join(folder, 'absent.duckdb') } })
    expect((await errorOf(opening)).code).toBe('foreign/connect')
  })

  test('a statement ends over there when its time is over', async () => {
    const told = await errorOf(rowsOf(there, ENDLESS, budgetOf({ timeoutMs: 300 })))
    expect([told.code, told.message]).toEqual([
      'budget/deadline',
      'The query ran longer than its time limit of 300 ms.',
    ])
    await expect.poll(isAtRest).toBe(true)
  })

  test('a statement ends over there when its query is cancelled', async () => {
    const cancelling = new AbortController()
    const running = errorOf(rowsOf(there, ENDLESS, budgetOf({}, cancelling.signal)))
    await sleep(300)
    cancelling.abort()
    expect((await running).code).toBe('budget/cancelled')
    await expect.poll(isAtRest).toBe(true)
  })

  test('a statement ends over there when its reader leaves, and waits while it does not read', async () => {
    const all = statementOf('SELECT a.message FROM logs a, logs b', 'text')
    for await (const { rowCount } of there.run(all, { budget: budgetOf(), batchRows: 100 })) {
      expect(rowCount).toBe(100)
      await expect.poll(isAtRest).toBe(true)
      break
    }
    await expect.poll(isAtRest).toBe(true)
  })

  test('arriving messages are charged before memory is allocated for them', async () => {
    const large = statementOf(`SELECT repeat('x', 20000000)`, 'text')
    const told = await errorOf(rowsOf(there, large, budgetOf({ memoryBytes: 2 ** 20 })))
    expect(told.code).toBe('budget/memory')
    const budget = budgetOf()
    expect(await rowsOf(there, large, budget)).toHaveLength(1)
    expect([budget.usedBytes, budget.peakBytes > 2e7]).toEqual([0, true])
  })

  test('if the process ends, statements without any answer yet are run again', async () => {
    const before = present(started.pid)
    const slow = statementOf('SELECT count(*) FROM logs a, range(300) b WHERE a.id + b.range >= 0', 'int64')
    const source = { kind: 'table', path: ['logs'] } as const
    // Opens several pooled connections to the process; they are unusable after it dies.
    await Promise.all(Array.from({ length: 6 }, () => rowsOf(there, statementOf('SELECT 1', 'int64'))))
    process.kill(before, 'SIGSTOP')
    const running = rowsOf(there, slow)
    const described = there.describe(source)
    await sleep(50)
    process.kill(before, 'SIGKILL')
    expect(await running).toEqual([[30_000_000n]])
    expect(await described).toEqual(await here.describe(source))
    expect(started.pid).not.toBe(before)
    expect(lost).toEqual(['ended'])
  })

  test('if the process ends, answers that have begun break off', async () => {
    const all = statementOf('SELECT a.message FROM logs a, logs b', 'text')
    const reading = async (): Promise<void> => {
      let seen: ForeignBatch | undefined
      for await (const batch of there.run(all, { budget: budgetOf(), batchRows: 100 })) {
        if (seen === undefined) process.kill(present(started.pid), 'SIGKILL')
        seen = batch
      }
    }
    expect((await errorOf(reading())).code).toBe('sql/process-died')
    expect(await rowsOf(there, statementOf('SELECT 1', 'int64'))).toEqual([[1n]])
  })

  test('one that takes too much memory is replaced, and what it did is not tried for ever', async () => {
    const whys: EngineLoss[] = []
    const watched = await start({ ceilingBytes: 250 * 2 ** 20, onLost: (each) => whys.push(each) })
    const client = duckdbClient(watched.socket, PATIENCE_MS)
    const large = statementOf('SELECT len(list(range)) FROM range(100000000)', 'int64')
    expect((await errorOf(rowsOf(client, large))).code).toBe('sql/process-died')
    await expect.poll(() => whys).toEqual(['memory', 'memory'])
    await client.close()
    await watched.close()
  })

  test('one that comes round to nothing is replaced', async () => {
    const whys: EngineLoss[] = []
    const watched = await start({ silentMs: 4_000, onLost: (each) => whys.push(each) })
    process.kill(present(watched.pid), 'SIGSTOP')
    await expect.poll(() => whys).toEqual(['silent'])
    await watched.close()
  })
})

test('a statement that goes on when it was to stop is reported of', async () => {
  const engine: ForeignEngine = {
    ...here,
    name: 'duckdb',
    dialect: here.dialect,
    async *run() {
      await new Promise(() => undefined)
      yield { rowCount: 0, columns: [] }
    },
  }
  let stuck = 0
  const socket = join(folder, 'stuck')
  const server = await serveEngine(engine, socket, () => stuck++, 3_000)
  const client = duckdbClient(socket)
  const told = await errorOf(rowsOf(client, statementOf('SELECT 1', 'int64'), budgetOf({ timeoutMs: 50 })))
  expect([told.code, stuck]).toEqual(['budget/deadline', 0])
  await expect.poll(() => stuck).toBeGreaterThan(0)
  await client.close()
  server.close()
})
