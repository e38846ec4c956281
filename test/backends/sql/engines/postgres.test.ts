// @module-tag slow
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Budget, SluiceError } from '../../../../src/base/index.ts'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { foreignBackend, type TableMapping } from '../../../../src/backends/sql/index.ts'
import { Instant, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { createEngine } from '../../../../src/engine/index.ts'
import { answer, functions } from '../support.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/backends/sql/engines/postgres.ts'
import type { ForeignForm, ForeignStatement, ForeignValue } from '../../../../src/backends/sql/foreign/engine.ts'
import type { SqlValue } from '../../../../src/store/sqlite/index.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../../harness/postgres.ts'
import { TcpProxy } from '../../../harness/tcp-proxy.ts'

const limits = { memoryBytes: 2 ** 28, timeoutMs: 600_000, scanRows: Number.MAX_SAFE_INTEGER }

function budgetOf(signal?: AbortSignal, more: Partial<typeof limits> = {}): Budget {
  return new Budget({ ...limits, ...more }, () => performance.now(), signal)
}

function statement(sql: string, forms: readonly ForeignForm[], values: readonly SqlValue[] = []): ForeignStatement {
  return { sql, forms, parameters: values.map((value, i) => ({ kind: 'value', name: `v${i}`, value })) }
}

async function rows(engine: PostgresEngine, given: ForeignStatement, budget = budgetOf()): Promise<ForeignValue[][]> {
  const found: ForeignValue[][] = []
  for await (const batch of engine.run(given, { budget, batchRows: 100 }))
    for (let i = 0; i < batch.rowCount; i++) found.push(batch.columns.map((column) => column[i] ?? null))
  return found
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
  return 'no error'
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const tables = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
DROP TABLE IF EXISTS "odd ""table", logs;
DROP DOMAIN IF EXISTS port;
DROP TYPE IF EXISTS severity;
CREATE TYPE severity AS ENUM ('info', 'error');
CREATE DOMAIN port AS integer NOT NULL;
CREATE TABLE logs (
  id bigserial PRIMARY KEY, at timestamptz NOT NULL, level severity, port port, took numeric(20, 6), attributes jsonb,
  message text COLLATE "C", host varchar(20) COLLATE "ucs_basic", tags text[]
);
CREATE INDEX ON logs USING gin (message gin_trgm_ops);
CREATE TABLE "odd ""table" ("semi;colon" double precision)`

const literal = (text: string | undefined): string => (text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`)

/** Creates a table with one string per row, in the database and in the row model. */
async function textsOf(engine: PostgresEngine, url: string, texts: readonly (string | undefined)[]) {
  const listed = texts.map((text, i) => `(${i}, ${i}, ${literal(text)}, ${literal(text)})`)
  await execute(
    url,
    `DROP TABLE IF EXISTS texts; CREATE TABLE texts (seq bigint NOT NULL, at bigint NOT NULL, text text, bytes text COLLATE "C");
    INSERT INTO texts VALUES ${listed.join(', ')}`,
  )
  const columns = await engine.describe({ kind: 'table', path: ['texts'] })
  const mapping: TableMapping = {
    name: 'logs',
    source: { kind: 'table', path: ['texts'] },
    time: { field: '_time', column: 'at', nativeType: 'bigint', isNullable: false, unit: 'ns' },
    textField: 'text',
    streamFields: [],
    fields: columns
      .filter(({ name }) => name !== 'at')
      .map(({ name, type, isNullable }) => ({
        name,
        column: name,
        path: [],
        type: 'any',
        nativeType: type,
        isNullable,
        aliases: [],
      })),
    attributes: [],
    tieBreak: ['seq'],
    domain: undefined,
    words: { kind: 'trigram' },
  }
  const backend = foreignBackend(engine, [mapping], functions)
  const stored = texts.map((text, i): StoredRow => {
    const fields = new Map<string, Value>([['seq', i]])
    if (text !== undefined) for (const name of ['text', 'bytes']) fields.set(name, text)
    return { timeNs: BigInt(i), sequence: i, row: new Map([['_time', new Instant(BigInt(i))], ...fields]) }
  })
  const model = rowsBackend(new Map([['logs', stored]]), functions)
  const asked = createEngine({ backends: [backend], catalog: backend.catalog })
  return { asked, backend, model }
}

for (const kind of hasPostgresServer ? (['embedded', 'server'] as const) : (['embedded'] as const)) {
  describe(`PostgreSQL, ${kind}`, () => {
    let server: TestPostgres
    let engine: PostgresEngine

    beforeAll(async () => {
      server = await startPostgres({ isServer: kind === 'server' })
      await execute(server.url, tables)
      engine = await openPostgres({ url: server.url, connections: server.kind === 'server' ? 2 : 1 })
    })

    afterAll(async () => {
      await engine.close()
      await server.close()
    })

    test('describes columns in their order, a domain as what it is made of', async () => {
      expect(await engine.describe({ kind: 'table', path: ['public', 'logs'] })).toEqual([
        { name: 'id', type: 'bigint', isNullable: false },
        { name: 'at', type: 'timestamp with time zone', isNullable: false },
        { name: 'level', type: `ENUM('info', 'error')`, isNullable: true },
        { name: 'port', type: 'integer', isNullable: false },
        { name: 'took', type: 'numeric(20,6)', isNullable: true },
        { name: 'attributes', type: 'jsonb', isNullable: true },
        { name: 'message', type: 'text', isNullable: true },
        { name: 'host', type: 'character varying(20) COLLATE ucs_basic', isNullable: true, isCollated: true },
        { name: 'tags', type: 'text[]', isNullable: true },
      ])
      expect(await engine.describe({ kind: 'table', path: ['odd "table'] })).toEqual([
        { name: 'semi;colon', type: 'double precision', isNullable: true },
      ])
    })

    test('finds the indexes that look for parts of texts', async () => {
      expect(await engine.wordIndexes({ kind: 'table', path: ['logs'] })).toEqual([
        { column: 'message', kind: 'trigram' },
      ])
    })

    test.each([
      [['no such'], 'foreign/no-source'],
      [['elsewhere', 'public', 'logs'], 'foreign/no-source'],
      [[`logs"; DROP TABLE logs; --`], 'foreign/no-source'],
    ])('says that %s is not there', async (path, code) => {
      expect(await codeOf(() => engine.describe({ kind: 'table', path }))).toBe(code)
    })

    test('values cross exactly', async () => {
      const sql = `SELECT $1::text, $2::double precision, $3::bigint, $4::bigint, $5::boolean, NULL::text,
        '{"a": 1.50}'::jsonb, 'NaN'::double precision, 0.1::double precision + 0.2::double precision`
      const forms: ForeignForm[] = ['text', 'double', 'int64', 'int64', 'bool', 'text', 'json', 'double', 'double']
      const values = [`'"\\; ä𐐁`, -0, 2n ** 63n - 1n, -(2n ** 63n), 1n]
      expect(await rows(engine, statement(sql, forms, values))).toEqual([
        [`'"\\; ä𐐁`, -0, 2n ** 63n - 1n, -(2n ** 63n), true, null, '{"a": 1.50}', NaN, 0.1 + 0.2],
      ])
    })

    test('rows come in batches, in order, and only as far as they are read', async () => {
      const given = statement(
        'SELECT n FROM generate_series(1::bigint, $1::bigint) AS n',
        ['int64'],
        [server.kind === 'server' ? 10_000_000n : 100_000n],
      )
      const sizes: number[] = []
      let next = 1n
      for await (const { rowCount, columns } of engine.run(given, { budget: budgetOf(), batchRows: 500 })) {
        sizes.push(rowCount)
        for (const n of columns[0] ?? []) expect(n).toBe(next++)
        if (next > 2_000n) break
      }
      expect(Math.max(...sizes)).toBe(500)
      // The connection is available again, and no transaction is open on it.
      expect(await rows(engine, statement('SELECT count(*) FROM logs', ['int64']))).toEqual([[0n]])
    })

    test('long rows travel in small batches', async () => {
      const given = statement(`SELECT repeat('x', 200000) FROM generate_series(1, 200)`, ['text'])
      const sizes: number[] = []
      for await (const { rowCount } of engine.run(given, { budget: budgetOf(), batchRows: 4096 })) sizes.push(rowCount)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200)
      expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(3)
    })

    test('few rows come at once, in batches, and end their transaction', async () => {
      const numbers = statement('SELECT n FROM generate_series(1::bigint, 250) AS n', ['int64'])
      const sizes: number[] = []
      for (const isAlone of [true, false, true]) {
        const run = { budget: budgetOf(), batchRows: 100, isAlone }
        for await (const { rowCount } of engine.run({ ...numbers, mostRows: 250 }, run)) sizes.push(rowCount)
        expect(run.budget.usedBytes).toBe(0)
      }
      expect(sizes).toEqual([100, 100, 50, 100, 100, 50, 100, 100, 50])
      const sql = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sluice' AND state LIKE 'idle in%'`
      expect(await rows(engine, statement(sql, ['int64']))).toEqual([[0n]])
    })

    test('rows beyond the memory of the query are refused as they come', async () => {
      const long = statement(`SELECT repeat('x', 1000000) FROM generate_series(1, 100)`, ['text'])
      const budget = budgetOf(undefined, { memoryBytes: 2 ** 23 })
      const run = { budget, batchRows: 100, isAlone: true }
      const work = async (): Promise<void> => {
        for await (const { rowCount } of engine.run({ ...long, mostRows: 100 }, run)) expect(rowCount).toBe(0)
      }
      expect(await codeOf(work)).toBe('budget/memory')
      expect(budget.usedBytes).toBe(0)
      expect(await rows(engine, statement('SELECT 7::bigint', ['int64']))).toEqual([[7n]])
    })

    test('a statement may only read', async () => {
      const sql = `WITH gone AS (DELETE FROM logs RETURNING 1) SELECT 1 FROM gone`
      expect(await codeOf(() => rows(engine, statement(sql, ['int64'])))).toBe('foreign/statement-failed')
      expect(await codeOf(() => rows(engine, statement(`SELECT nextval('logs_id_seq')`, ['int64'])))).toBe(
        'foreign/statement-failed',
      )
    })

    test('an error tells no stored value and no word of the address', async () => {
      const failed = rows(engine, statement(`SELECT message::bigint FROM (VALUES ('secret')) AS t(message)`, ['int64']))
      const error = await failed.catch((thrown: unknown) => thrown)
      expect(String(error)).toContain('22P02')
      expect(JSON.stringify(error) + String(error)).not.toContain('secret')
      const url = `postgres://me:hush-hush@127.0.0.1:1/postgres`
      const refused = await openPostgres({ url }).catch((thrown: unknown) => thrown)
      expect(refused).toBeInstanceOf(SluiceError)
      expect(String(refused)).toContain('nothing listens at the address')
      expect(JSON.stringify(refused) + String(refused)).not.toContain('hush')
      const damaged = await openPostgres({ url: 'postgres://me:hush-hush@[' }).catch((thrown: unknown) => thrown)
      expect(String(damaged)).toContain('the address does not read')
      expect(JSON.stringify(damaged) + String(damaged)).not.toContain('hush')
    })

    test('explains a statement with its parameters', async () => {
      const plan = await engine.explain(
        statement('SELECT 1 FROM logs WHERE level = $1::severity', ['int64'], ['error']),
      )
      expect(plan.join('\n')).toContain('Seq Scan on logs')
    })

    test('statements of one query share its connection and what they see', async () => {
      const alone = await openPostgres({ url: server.url, connections: 1, connectMs: 2000 })
      const numbers = statement('SELECT n FROM generate_series(1::bigint, 1000) AS n', ['int64'])
      const seen = statement('SELECT count(*) FROM logs', ['int64'])
      const budget = budgetOf()
      const sums: bigint[] = []
      for await (const outer of alone.run(numbers, { budget, batchRows: 400 })) {
        let sum = BigInt(outer.rowCount)
        for await (const inner of alone.run(numbers, { budget, batchRows: 300 })) {
          sum += BigInt(inner.rowCount)
          if (sums.length === 1) break
        }
        sums.push(sum + ((await rows(alone, seen, budget))[0]?.[0] as bigint))
      }
      expect(sums.length).toBeGreaterThan(2)
      // The connection is available for the next query.
      expect(await rows(alone, seen)).toEqual([[0n]])
      await alone.close()
    })

    test('conditions on strings match as the language defines', async () => {
      const texts = [
        'error',
        'Error',
        'ERROR',
        'errors',
        'x error',
        '',
        'kilo',
        '\u212ailo',
        'KİLO',
        'k%lo',
        'k_lo',
        'kilo\\',
        'a1b2c3d4e5f6a7b8',
        'A1B2C3D4E5F6A7B8',
        'a1b2c3d4e5f6a7b9',
        'A1b2C3d4e5f6a7b8x',
        'éerror',
        'error\u0301',

        'checkout-api-of-payments',
        'CHECKOUT-APİ-OF-PAYMENTS',
        'checkout-apI-of-payments',
        'pay%ments',
        'error\n',
        '"{,}',
      ]
      const { asked, backend, model } = await textsOf(engine, server.url, [...texts, undefined])
      const words = [
        'error',
        'ERROR',
        'kilo',
        'k%lo',
        'k_lo',
        'kilo\\\\',
        'a1b2c3d4e5f6a7b8',
        'checkout-api-of-payments',
        'ilo',
        'pay%',
        'x',
      ]
      const tests = words.flatMap((word) => [
        `"${word}"`,
        `"${word}"*`,
        `*"${word}"*`,
        `="${word}"`,
        `="${word}"*`,
        `in("${word}", "other")`,
        `contains_any("${word}", "zz")`,
        `seq("${word}", "x")`,
      ])
      let whole = 0
      for (const field of ['text', 'bytes']) {
        for (const test of tests.flatMap((each) => [`${field}:${each}`, `!${field}:${each}`])) {
          const { optimized } = asked.plan(`${test} | fields seq`)
          if (backend.accept(optimized).kind === 'not') continue
          whole++
          expect(await answer(backend, optimized), test).toEqual(await answer(model, optimized))
        }
      }
      expect(whole).toBeGreaterThan(200)
    })

    test('groups of empty texts are those of missing ones, whether there are any or not', async () => {
      const queries = [
        'stats by (text) count() as n',
        'stats by (bytes) count() as n, avg(seq) as a',
        'stats by (text, bytes) count() as n | sort by (n desc) | limit 2',
        'stats by (text) count() as n | sort by (n desc, text) | offset 1 | limit 2',
        'stats by (text) count() as n | filter n:>1',
        'stats by (text) count() as n | stats count() as groups',
        'stats by (text) count() as n | limit 0',
        'uniq by (text)',
        'uniq by (seq, text)',
        'stats by (bytes, seq, text) count() as n',
        'filter -text:info -text:debug "b" | stats by (text) count() as n',
        'filter (text:info or text:debug or text:b) "b" | stats count() as n',
        'uniq by (bytes) with hits | limit 3',
      ]
      const plain = ['b', undefined, 'a', '10', undefined, 'b', '9', undefined]
      for (const texts of [plain, [...plain, '', ''], ['', ''], [undefined]]) {
        const { asked, backend, model } = await textsOf(engine, server.url, texts)
        for (const query of queries) {
          const { optimized } = asked.plan(`* | ${query}`)
          if (backend.accept(optimized).kind === 'not') continue
          expect(await answer(backend, optimized), query).toEqual(await answer(model, optimized))
        }
        const context = { budget: budgetOf(), nowNs: 0n, range: { startNs: 0n, endNs: 100n }, batchRows: 10 }
        const { optimized } = asked.plan('* | stats by (text) count() as n')
        expect(backend.prepare(optimized, context).explain().notes[0]).toContain('GROUP BY t0.text')
      }
    })

    test('a sum beyond all floats is an error that says so', async () => {
      const sums = statement(`SELECT sum(x) FROM (VALUES (1e308::float8), (1e308)) v(x)`, ['double'])
      await expect(rows(engine, sums)).rejects.toMatchObject({
        diagnostics: [{ code: 'foreign/out-of-range', message: 'PostgreSQL met a number beyond what its type holds.' }],
      })
    })

    test('memory and time of the query are the statement’s', async () => {
      const sql = `SELECT current_setting('work_mem'), current_setting('transaction_read_only'), current_setting('TimeZone')`
      const budget = budgetOf(undefined, { memoryBytes: 2 ** 25 })
      expect(await rows(engine, statement(sql, ['text', 'text', 'text']), budget)).toEqual([['4MB', 'on', 'UTC']])
    })
  })
}

describe.skipIf(!hasPostgresServer)('a server that can be interrupted', () => {
  let server: TestPostgres
  let engine: PostgresEngine
  const slow = statement('SELECT count(*) FROM generate_series(1, 1000000000000)', ['int64'])

  async function running(): Promise<number> {
    const sql = `SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'sluice' AND state = 'active'`
    const client = new Client({ connectionString: server.url })
    await client.connect()
    const found = await client.query<{ count: string }>(sql)
    await client.end()
    return Number(found.rows[0]?.count)
  }

  async function untilRunning(count: number): Promise<void> {
    for (let looks = 0; looks < 500 && (await running()) !== count; looks++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await running()).toBe(count)
  }

  beforeAll(async () => {
    server = await startPostgres({ isServer: true })
    engine = await openPostgres({ url: server.url, connections: 1 })
  })

  afterAll(async () => {
    await engine.close()
    await server.close()
  })

  test('a cancelled query ends there at once', async () => {
    const controller = new AbortController()
    const code = codeOf(() => rows(engine, slow, budgetOf(controller.signal)))
    await untilRunning(1)
    controller.abort()
    expect(await code).toBe('budget/cancelled')
    await untilRunning(0)
    // The one connection serves the next query.
    expect(await rows(engine, statement('SELECT 7::bigint', ['int64']))).toEqual([[7n]])
  })

  test('a cancelled query of one message ends there at once', async () => {
    const controller = new AbortController()
    const run = { budget: budgetOf(controller.signal), batchRows: 10, isAlone: true }
    const code = codeOf(async () => {
      for await (const { rowCount } of engine.run({ ...slow, mostRows: 1 }, run)) expect(rowCount).toBe(0)
    })
    await untilRunning(1)
    controller.abort()
    expect(await code).toBe('budget/cancelled')
    await untilRunning(0)
    expect(await rows(engine, statement('SELECT 7::bigint', ['int64']))).toEqual([[7n]])
  })

  test('a reader who leaves during a fetch ends it there', async () => {
    const sql = `SELECT n FROM generate_series(1::bigint, 64) AS n UNION ALL SELECT count(*) FROM generate_series(1, 1000000000000)`
    for await (const batch of engine.run(statement(sql, ['int64']), { budget: budgetOf(), batchRows: 64 })) {
      expect(batch.rowCount).toBe(64)
      await untilRunning(1)
      break
    }
    await untilRunning(0)
    expect(await rows(engine, statement('SELECT 7::bigint', ['int64']))).toEqual([[7n]])
  })

  test('its limit of time ends it', async () => {
    expect(await codeOf(() => rows(engine, slow, budgetOf(undefined, { timeoutMs: 300 })))).toBe('budget/deadline')
    await untilRunning(0)
  })

  test('without a free connection a query is reported so', async () => {
    const impatient = await openPostgres({ url: server.url, connections: 1, connectMs: 200 })
    const controller = new AbortController()
    const first = codeOf(() => rows(impatient, slow, budgetOf(controller.signal)))
    await untilRunning(1)
    expect(await codeOf(() => rows(impatient, slow))).toBe('foreign/connect')
    controller.abort()
    expect(await first).toBe('budget/cancelled')
    await impatient.close()
  })

  test('a lost connection ends its query alone', async () => {
    const url = new URL(server.url)
    const proxy = new TcpProxy({ host: url.hostname, port: Number(url.port) })
    url.port = String(await proxy.open())
    const proxied = await openPostgres({ url: url.href, connections: 1 })
    const code = codeOf(() => rows(proxied, slow))
    await untilRunning(1)
    // Node ends a process for an error event that has no listener; vitest reports it and fails the run.
    await proxy.setReachable(false)
    expect(await code).toBe('foreign/statement-failed')
    expect(await codeOf(() => rows(proxied, slow))).toBe('foreign/connect')
    await proxy.setReachable(true)
    expect(await rows(proxied, statement('SELECT 7::bigint', ['int64']))).toEqual([[7n]])
    await proxied.close()
    await proxy.close()
    await execute(
      server.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'sluice' AND state = 'active'`,
    )
    await untilRunning(0)
  })
})
