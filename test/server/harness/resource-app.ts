import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import type { DocumentStore } from '../../../src/resources/index.ts'
import {
  KeyRing,
  createClusterList,
  createMetricService,
  createResources,
  createSearchService,
  createWorkloadList,
  type App,
  type ServerContext,
} from '../../../src/server/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { SampleStore, createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { KEY, SALT, appOf, key, type Logged } from './harness.ts'

/** 2026-01-01T12:00:00Z plus one nanosecond. */
export const NOW_NS = 1_767_268_800_000_000_001n

export const keys = new KeyRing(SALT, [
  key(KEY),
  key('reader', { roles: new Set(['read']) }),
  key('writer', { roles: new Set(['read', 'write']) }),
  key('bob', { email: 'Bob@example.com' }),
  key('carol', { email: 'carol@example.com' }),
  key('only-a', { backends: new Set(['a']) }),
])

function counter(): (count: number) => Uint8Array {
  let next = 0
  return (count) => {
    const bytes = new Uint8Array(count)
    new DataView(bytes.buffer).setUint32(count - 4, ++next)
    return bytes
  }
}

const LOGS = [
  ['shop', 'checkout', 'error', 'payment refused'],
  ['shop', 'cart', 'info', 'added a pear'],
  ['pay', 'ledger', 'error', 'the secret balance is 42'],
  ['pay', 'ledger', 'info', 'booked'],
] as const

/** Returns a complete server over a few records of two namespaces and the given document store. */
export function resourceApp(store: DocumentStore, overrides: Partial<ServerContext> = {}, logged: Logged[] = []): App {
  const tables = createMemoryStore(standardCatalog)
  const add = (table: string, lines: readonly object[]): void => {
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    tables.table(table).writer.appendJsonLines(Buffer.from(text), { nowNs: NOW_NS })
  }
  add(
    'logs',
    LOGS.map(([namespace, workload, level, content], i) => ({
      _time: `2026-01-01T11:0${i}:00Z`,
      cluster: 'c1',
      namespace,
      workload,
      level,
      content,
    })),
  )
  add('workloads', [
    { _time: '2026-01-01T11:00:00Z', uid: '1', workload: 'checkout', namespace: 'shop', cluster: 'c1' },
    { _time: '2026-01-01T11:00:00Z', uid: '2', workload: 'ledger', namespace: 'pay', cluster: 'c1' },
  ])
  add('clusters', [{ _time: '2026-01-01T11:00:00Z', name: 'c1', env: 'prod' }])
  const samples = new SampleStore()
  for (const namespace of ['shop', 'pay']) {
    samples.writer.append(Labels.of({ __name__: 'up', namespace }), { timeMs: Number(NOW_NS / 1_000_000n), value: 1 })
  }
  const clock = { nowMs: () => performance.now(), nowNs: () => NOW_NS }
  const engine = createEngine({ backends: [columnarBackend(tables, standardFunctions)], clock, lint: 'off' })
  const search = createSearchService(() => engine)
  return appOf(
    {
      keys,
      search,
      clusters: createClusterList(search),
      workloads: createWorkloadList(search),
      metrics: createMetricService({
        sourceOf: () => samples.reader,
        engine,
        limits: { memoryBytes: 1 << 26, timeoutMs: 600_000, scanRows: 1_000_000 },
      }),
      ...createResources({ store, engineOf: () => engine, randomBytes: counter() }),
      ...overrides,
    },
    logged,
  )
}
