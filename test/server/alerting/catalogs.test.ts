import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../src/alerting/service/index.ts'
import {
  foreignDiagnostic,
  openEngine,
  type EngineAddress,
  type ForeignEngine,
} from '../../../src/backends/sql/index.ts'
import { SluiceError, nowhere, present } from '../../../src/base/index.ts'
import { openCatalog } from '../../../src/catalog/index.ts'
import { Labels } from '../../../src/data/index.ts'
import type { Clock } from '../../../src/engine/index.ts'
import { createServer, type ServerOptions, type SluiceServer } from '../../../src/server/index.ts'
import { SampleStore, createMemoryStore } from '../../../src/store/index.ts'
import { authorized, startServer } from '../../harness/server-process.ts'
import {
  clickhouse,
  duckdb,
  postgres,
  sqlite,
  type Database,
  type LogRecord,
  type OpenDatabase,
} from './catalog-databases.ts'

const ADMIN = 'key-of-the-administrator-of-this-server'
const SCOPED = 'key-of-somebody-who-sees-the-shop-only'
const START = Date.parse('2026-03-10T12:00:00Z')
const MINUTE_MS = 60_000

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/**
 * Records over eleven minutes. Some lie on window boundaries, and there is a gap from the sixth to the eighth minute.
 */
const records: readonly LogRecord[] = Array.from({ length: 220 }, (_, i) => ({
  timeMs: START + i * 3000 + (i % 4 === 0 ? 0 : (i * 137) % 2999),
  level: i % 3 === 0 ? 'error' : i % 7 === 0 ? 'Error' : 'info',
  workload: [`cart`, 'web', 'API', 'api', '', null][i % 6] ?? null,
  status: 200 + (i % 5) * 100,
  // Every database computes sums and means of these numbers exactly.
  took: i % 9 === 0 ? null : (i % 64) / 8,
  message: i % 2 === 0 ? `request ${i} timed out` : `request ${i} was answered`,
})).filter((_, i) => i < 120 || i > 160)

interface Running {
  readonly call: (method: string, path: string, body?: unknown, key?: string) => Promise<unknown>
  readonly moveTo: (minutes: number) => Promise<void>
}

const clockOf = (clock: TestClock): Clock => ({
  nowMs: () => performance.now(),
  nowNs: () => BigInt(clock.nowMs()) * 1_000_000n,
})

async function start(data: (clock: TestClock) => Partial<ServerOptions>): Promise<Running> {
  const clock = new TestClock()
  const server: SluiceServer = await createServer({
    keys: [{ key: ADMIN }, { key: SCOPED, email: 'shop@example.com' }],
    clock: clockOf(clock),
    alerting: { testClock: clock },
    ...data(clock),
  } as ServerOptions)
  ends.push(() => server.close())
  await server.loaded
  const call: Running['call'] = async (method, path, body, key = ADMIN) => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return text === '' ? undefined : JSON.parse(text)
  }
  const moveTo = async (minutes: number): Promise<void> => {
    await call('POST', '/test/clock', { now: new Date(START + minutes * MINUTE_MS).toISOString() })
  }
  await moveTo(0)
  return { call, moveTo }
}

/** Starts a server over its own store with the same records. */
async function overStore(): Promise<Running> {
  const samples = new SampleStore()
  for (const { timeMs, level, workload, took } of records) {
    const labels = Labels.of({ __name__: level, workload: workload ?? '' })
    if (took !== null) samples.writer.append(labels, { timeMs, value: took })
  }
  const running = await start(() => ({ store: createMemoryStore(), samples }))
  const rows = records.map(({ timeMs, workload, took, ...record }) => ({
    time: new Date(timeMs).toISOString(),
    ...(workload === null ? {} : { workload }),
    ...(took === null ? {} : { took }),
    ...record,
  }))
  await running.call(
    'POST',
    '/api/ingest/logs',
    rows.map(({ timeMs: _, ...row }: Record<string, unknown>) => row),
  )
  return running
}

interface OverDatabase extends Running {
  readonly database: OpenDatabase
  /** Makes the next statements fail, as many as given, as if the database were unreachable. */
  readonly refuse: (statements: number) => void
}

async function overCatalog({ open: openDatabase }: Database): Promise<OverDatabase> {
  const database = await openDatabase(records)
  ends.push(() => database.close())
  const { folder, env, workers } = database
  let refused = 0
  const open = async (address: EngineAddress): Promise<ForeignEngine> => {
    const engine = await openEngine(address)
    return refusing(engine, () => refused-- > 0)
  }
  const catalog = await openCatalog(database.catalog, { folder, env, workers, open })
  ends.push(() => catalog.close())
  const running = await start((clock) => {
    const engine = catalog.engine({ clock: clockOf(clock) })
    return { engine, samples: present(catalog.samples(engine)) }
  })
  return { ...running, database, refuse: (statements) => (refused = statements) }
}

interface FileEngine extends ForeignEngine {
  readonly driver?: { readonly run: (...args: never[]) => AsyncIterable<unknown> }
}

/** Wraps an engine so that its statements fail while `isRefused` returns true. */
function refusing(engine: FileEngine, isRefused: () => boolean): ForeignEngine {
  const check = (): void => {
    if (!isRefused()) return
    throw new SluiceError([foreignDiagnostic('connect', { engine: engine.name, reason: 'nothing listens' }, nowhere)])
  }
  const { driver } = engine
  // SQLite files are read through `driver`, so wrap its `run`.
  const run = async function* (...args: never[]): AsyncGenerator<unknown> {
    check()
    yield* driver?.run(...args) ?? []
  }
  return driver === undefined ? engine : Object.assign({}, engine, { driver: { ...driver, run } })
}

const every = (more: object = {}): object => ({ interval: '1m', ...more })
const one = (query: object, ...thresholds: readonly object[]): object => ({
  queries: [{ name: 'q', dataType: 'logs', ...query }],
  thresholds: thresholds.map((threshold, i) => ({ name: `t${i}`, inputName: 'q', ...threshold })),
})
const above = (value: number, more: object = {}): object => ({ operator: 'gt', values: [value], ...more })

const counted = 'level:error | stats by (workload) count() as n'

/** A monitor of every kind, by name. */
const monitors: Readonly<Record<string, { readonly [member: string]: unknown }>> = {
  search: { evaluationInterval: every(), model: one({ expression: 'level:error timed' }, above(2)) },
  'search without thresholds': { evaluationInterval: every(), model: one({ expression: 'status:>=500 "timed out"' }) },
  groups: {
    evaluationInterval: every({ pendingFor: '2m' }),
    labels: { owner: '{{ $labels.workload }}-team' },
    annotations: {
      summary: '{{ $labels.workload }} had {{ $value }} of {{ (query "logs:* | stats count()") | first | value }}',
    },
    model: one({ expression: counted, relativeTimerange: { from: '-5m' } }, above(3)),
  },
  'two keys, one missing': {
    evaluationInterval: every(),
    noDataState: 'NoData',
    model: one({ expression: '* | stats by (workload, status) count() as n, max(took) as most' }, above(1)),
  },
  pipes: {
    evaluationInterval: every({ keepFiringFor: '2m' }),
    model: one(
      { expression: '* | stats by (workload) count() as n, count() if (level:error) as bad | math bad / n * 100 as p' },
      above(30, { customResolveThreshold: { operator: 'lt', values: [10] } }),
    ),
  },
  pipeline: {
    evaluationInterval: every(),
    model: one(
      {
        sqlPipeline: {
          filters: {
            operator: 'and',
            conditions: [{ key: 'level', origin: 'root', type: 'string', filters: [{ op: 'eq', value: 'error' }] }],
          },
          groupBy: [{ key: 'workload', origin: 'root', type: 'string' }],
          selectors: [{ key: 'status', origin: 'root', type: 'number', alias: 'n', processors: [{ op: 'max' }] }],
        },
        filters: 'timed',
      },
      above(400),
    ),
  },
  range: {
    evaluationInterval: every(),
    noDataState: 'Alerting',
    model: {
      queries: [
        {
          name: 'q',
          dataType: 'logs',
          expression: '* | stats by (workload) avg(took) as mean, count_uniq(message) as texts',
          queryType: 'range',
          relativeTimerange: { from: '-5m' },
          rollup: { time: '30s' },
        },
        { name: 'all', dataType: 'logs', expression: 'level:error', relativeTimerange: { from: '-2m' } },
      ],
      reducers: [
        { name: 'mean', type: 'mean', inputName: 'q' },
        { name: 'most', type: 'max', inputName: 'q', relativeTimerange: { from: '-2m' } },
        { name: 'share', type: 'math', expression: '$most - $mean + $all / 100' },
      ],
      thresholds: [{ name: 't', inputName: 'share', operator: 'outside_range', values: [0.5, 1.5] }],
    },
  },
  buckets: {
    evaluationInterval: every(),
    model: {
      queries: [
        {
          name: 'q',
          dataType: 'logs',
          expression: 'timed | stats by (_time:1m, workload) quantile(0.9, took) as q9',
          queryType: 'range',
          relativeTimerange: { from: '-4m' },
        },
      ],
      reducers: [{ name: 'r', type: 'last', inputName: 'q' }],
      thresholds: [{ name: 't', inputName: 'r', operator: 'gte', values: [4] }],
    },
  },
  'one missing minute': {
    evaluationInterval: every(),
    noDataState: 'NoData',
    model: one({ expression: '* | stats max(took) as most' }, { operator: 'lte', values: [1000] }),
  },
  samples: {
    evaluationInterval: every({ pendingFor: '1m' }),
    noDataState: 'NoData',
    model: one({ dataType: 'metrics', expression: 'sum by (workload) (count_over_time(error[1m]))' }, above(1)),
  },
  'samples of a range': {
    evaluationInterval: every(),
    model: {
      queries: [
        {
          name: 'q',
          dataType: 'metrics',
          expression: 'max by (workload) ({__name__=~"error|info"})',
          queryType: 'range',
          relativeTimerange: { from: '-5m' },
          rollup: { time: '30s' },
        },
      ],
      reducers: [{ name: 'mean', type: 'mean', inputName: 'q' }],
      thresholds: [{ name: 't', inputName: 'mean', operator: 'gt', values: [4] }],
    },
  },
  'last row': {
    evaluationInterval: every(),
    noDataState: 'KeepLast',
    model: one({ expression: '* | sort by (_time desc) | limit 1 | stats by (workload) max(status) as s' }, above(300)),
  },
}

const cartOnly = {
  name: 'cart only',
  role: { read: '', write: '' },
  dataScope: {
    advanced: {
      logs: { operator: 'and', conditions: [{ key: 'workload', filters: [{ op: 'match', value: 'cart' }] }] },
    },
  },
}

interface State {
  readonly state: string
  readonly health: string
  readonly error?: string
  readonly evaluatedAt?: string
  readonly instances: readonly { readonly labels: Readonly<Record<string, string>> }[]
}

const sorted = (all: readonly object[]): readonly string[] => all.map((each) => JSON.stringify(each)).toSorted()

async function stateOf({ call }: Running, id: string, key?: string): Promise<State> {
  return (await call('GET', `/api/monitors/${id}/state`, undefined, key)) as State
}

/** Returns the state of a monitor without the parts that differ between equal answers. */
async function comparable(running: Running, id: string): Promise<object> {
  const { instances, history, ...state } = (await stateOf(running, id)) as State & { history: readonly object[] }
  return { ...state, instances: sorted(instances), history: sorted(history) }
}

async function create({ call }: Running, title: string, body: object, key?: string): Promise<string> {
  const { monitorId } = (await call('POST', '/api/monitors', { title, ...body }, key)) as { monitorId: string }
  return monitorId
}

const databases: readonly (Database & { readonly tags: readonly string[] })[] = [
  { ...sqlite, tags: [] },
  { ...duckdb, tags: ['slow'] },
  { ...postgres, tags: ['slow'] },
  { ...clickhouse, tags: ['slow'] },
]

describe.each(databases)('monitors over tables of $name', (database) => {
  const options = { tags: [...database.tags], skip: !database.isInstalled }
  // The pauses between attempts add up to four seconds.
  const slow = { ...options, tags: ['slow'] }

  test('have the states of monitors over the same rows in the store', options, async () => {
    const [foreign, own] = [await overCatalog(database), await overStore()]
    const ids: [string, string, string][] = []
    for (const [title, body] of Object.entries(monitors))
      ids.push([title, await create(foreign, title, body), await create(own, title, body)])
    const seen = new Set<string>()
    const alerted = new Set<string>()
    for (let minute = 1; minute <= 13; minute++) {
      await foreign.moveTo(minute)
      await own.moveTo(minute)
      for (const [title, foreignId, ownId] of ids) {
        const wanted = await comparable(own, ownId)
        expect(await comparable(foreign, foreignId), `${title} in minute ${minute}`).toEqual(wanted)
        const { state, health } = await stateOf(own, ownId)
        expect(health, `${title}: ${(await stateOf(own, ownId)).error}`).toBe('ok')
        seen.add(state)
        if (state === 'Alerting') alerted.add(title)
      }
    }
    expect(alerted).toEqual(new Set(Object.keys(monitors)))
    expect(seen).toEqual(new Set(['Normal', 'Pending', 'Alerting', 'NoData']))
  })

  test('are in error, with a reason, when their table has vanished', slow, async () => {
    const foreign = await overCatalog(database)
    const query = { dataType: 'events', expression: '* | stats by (workload) count() as n' }
    const body = { executionErrorState: 'Error', evaluationInterval: every(), model: one(query, above(0)) }
    const id = await create(foreign, 'events', body)
    await foreign.moveTo(1)
    expect(await stateOf(foreign, id)).toMatchObject({ state: 'Alerting', health: 'ok' })
    await foreign.database.dropEvents()
    await foreign.moveTo(2)
    const state = await stateOf(foreign, id)
    expect(state).toMatchObject({ state: 'Error', health: 'err' })
    expect(state.error).toMatch(/^query 1: /)
    expect(state.error).toMatch(/no such (table|file)|a table of it is not there/)
    for (const secret of foreign.database.secrets) expect(JSON.stringify(state)).not.toContain(secret)
  })

  test('read what their author may read', options, async () => {
    const both = [await overCatalog(database), await overStore()]
    const states: object[] = []
    for (const running of both) {
      const { uuid } = (await running.call('POST', '/api/rbac/policy/create', cartOnly)) as { uuid: string }
      await running.call('POST', '/api/rbac/policy/apply', { emails: ['shop@example.com'], policyUUIDs: [uuid] })
      const model = one({ expression: '* | stats by (workload, level) count() as n, sum(took) as s' }, above(0))
      const id = await create(running, 'scoped', { evaluationInterval: every(), model }, SCOPED)
      await running.moveTo(1)
      const { instances } = await stateOf(running, id)
      expect(new Set(instances.map(({ labels }) => labels['workload']))).toEqual(new Set(['cart']))
      states.push(await comparable(running, id))
    }
    expect(states[0]).toEqual(states[1])
  })

  test(
    'wait for a database that is away',
    { ...slow, skip: slow.skip || database.name === 'DuckDB', timeout: 60_000 },
    async () => {
      const foreign = await overCatalog(database)
      const { setReachable } = foreign.database
      const model = one({ expression: 'level:error | stats by (workload) count() as n' }, above(0))
      const body = { evaluationInterval: every({ interval: '30s' }), executionErrorState: 'Error', model }
      const id = await create(foreign, 'away', body)
      await foreign.moveTo(1)
      const before = await stateOf(foreign, id)
      expect(before).toMatchObject({ state: 'Alerting', health: 'ok' })

      // The database is unreachable for one of three attempts.
      await setReachable?.(false)
      if (setReachable === undefined) foreign.refuse(1)
      const moved = foreign.moveTo(1.5)
      if (setReachable !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await setReachable(true)
      }
      await moved
      expect(await stateOf(foreign, id)).toMatchObject({ state: 'Alerting', health: 'ok' })
      expect((await stateOf(foreign, id)).evaluatedAt).not.toBe(before.evaluatedAt)

      // The database is unreachable for all attempts.
      await setReachable?.(false)
      foreign.refuse(Infinity)
      await foreign.moveTo(2)
      const failed = await stateOf(foreign, id)
      expect(failed).toMatchObject({ state: 'Error', health: 'err' })
      expect(failed.error).toMatch(/^query 1: .*(nothing listens|closed the connection|connection is lost)/)
      for (const secret of foreign.database.secrets) expect(JSON.stringify(failed)).not.toContain(secret)

      await setReachable?.(true)
      foreign.refuse(0)
      await foreign.moveTo(2.5)
      expect(await stateOf(foreign, id)).toMatchObject({ state: 'Alerting', health: 'ok' })
    },
  )
})

test('a query is not attempted again after the interval of its monitor', async () => {
  const foreign = await overCatalog(sqlite)
  const body = {
    evaluationInterval: every({ interval: '1s' }),
    executionErrorState: 'Error',
    model: one({ expression: '*' }, above(0)),
  }
  const id = await create(foreign, 'every second', body)
  foreign.refuse(1)
  await foreign.moveTo(1 / 60)
  expect(await stateOf(foreign, id)).toMatchObject({ state: 'Error', health: 'err' })
})

test('query threads say that a table has vanished', { tags: ['slow'] }, async () => {
  const database = await sqlite.open(records)
  ends.push(() => database.close())
  const catalog = join(database.folder, 'catalog.yaml')
  writeFileSync(catalog, database.catalog)
  const server = await startServer(['--catalog', catalog, '--workers', '1', '--test-clock', '--log-level', 'silent'])
  ends.push(() => server.kill())
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = authorized({ 'Content-Type': 'application/json' })
    const response = await fetch(`${server.address}${path}`, { ...init, headers })
    const text = await response.text()
    expect(response.status, text).toBeLessThan(300)
    return text === '' ? undefined : JSON.parse(text)
  }
  const moveTo = (minutes: number): Promise<unknown> =>
    ask('/test/clock', { now: new Date(START + minutes * MINUTE_MS).toISOString() })
  await moveTo(0)
  const query = { dataType: 'events', expression: '* | stats by (workload) count() as n' }
  const body = { title: 'events', executionErrorState: 'Error', model: one(query, above(0)) }
  const { monitorId } = (await ask('/api/monitors', body)) as { monitorId: string }
  await moveTo(1)
  expect(await ask(`/api/monitors/${monitorId}/state`)).toMatchObject({ state: 'Alerting', health: 'ok' })
  await database.dropEvents()
  await moveTo(2)
  const state = (await ask(`/api/monitors/${monitorId}/state`)) as State
  expect(state).toMatchObject({ state: 'Error', health: 'err' })
  expect(state.error).toMatch(/^query 1: .*no such table/)
})
