// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { openCatalog, type OpenCatalog } from '../../../src/catalog/index.ts'
import type { ServedCatalog } from '../../../src/cli/serve/catalog-opener.ts'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { REQUESTS_CATALOG, sqliteFolder, type Folder } from '../../catalog/fixture.ts'
import { SEARCH } from '../harness/harness.ts'

const range = { start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z' }

let folder: Folder
let catalog: OpenCatalog
/** Servers by number of workers. */
const servers = new Map<number, SluiceServer>()

beforeAll(async () => {
  folder = await sqliteFolder()
  catalog = await openCatalog(REQUESTS_CATALOG, { folder: folder.path })
  const data: ServedCatalog = {
    text: REQUESTS_CATALOG,
    folder: folder.path,
    env: {},
    nowNs: 0n,
    requirePushdown: undefined,
    adviceMs: 0,
    workers: 1,
    sockets: new Map(),
    mappings: catalog.mappings,
  }
  const module = new URL('../../../src/cli/serve/open-catalog.ts', import.meta.url)
  const engine = catalog.engine()
  const samples = present(catalog.samples(engine))
  for (const workers of [0, 1]) {
    const served = { engine, samples, opener: { module, data } }
    servers.set(workers, await createServer({ ...served, keys: ['secret'], workers }))
  }
})

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.close()))
  await catalog.close()
  folder.remove()
})

const fetchOf = (workers: number, request: Request): Promise<Response> => present(servers.get(workers)).fetch(request)

async function ask(workers: number, path: string, body: unknown): Promise<readonly [number, unknown]> {
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' }
  const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await fetchOf(workers, request)
  return [response.status, await response.json()]
}

test.each([
  [SEARCH, { ...range, query: 'level:error timed | stats by (workload) count() n | sort by (workload)' }, 200],
  [SEARCH, { ...range, query: 'level:error', pipeline: { limit: 3 } }, 200],
  [SEARCH, { ...range, query: 'level:error | sort by (' }, 400],
  ['/api/hits', { ...range, domain: 'logs', query: 'timed' }, 200],
  ['/api/fields/facets', { ...range, domain: 'logs' }, 200],
  [
    '/api/metrics/query',
    {
      Promql: 'sum by (workload) (error)',
      QueryType: 'instant',
      Start: '2026-01-02T01:00:00Z',
      End: '2026-01-02T01:00:00Z',
    },
    200,
  ],
])(
  'a thread that opened the catalog for itself answers as the one that serves it: %s %j',
  async (path, body, status) => {
    const [here, there] = await Promise.all([ask(0, path, body), ask(1, path, body)])
    expect(here[0], JSON.stringify(here[1])).toBe(status)
    if (status === 200) expect(there).toEqual(here)
    else expect(there[0]).toBe(status)
  },
)

test('tables that threads cannot open are refused with workers', async () => {
  await expect(createServer({ engine: catalog.engine(), keys: ['secret'], workers: 1 })).rejects.toThrow(
    'Only stores can be read by worker threads.',
  )
})
