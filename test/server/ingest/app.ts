import { newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import {
  createIngestService,
  createSearchService,
  defaultServerLimits,
  type App,
  type ServerContext,
} from '../../../src/server/index.ts'
import type { DurableStore } from '../../../src/store/durable/index.ts'
import { appOf, post } from '../harness/harness.ts'

export const NOW_NS = 1_767_225_600_000_000_000n

export interface IngestApp {
  readonly app: App
  readonly tenants: ReadonlyMap<string, Tenant>
}

/** Creates an app over empty tenants that ingests and searches data. */
export function ingestApp(
  overrides: Partial<ServerContext> = {},
  log?: DurableStore,
  backends: readonly string[] = ['default'],
): IngestApp {
  const clock = { nowMs: () => 0, nowNs: () => NOW_NS }
  const tenants = new Map(backends.map((id) => [id, newTenant(clock)]))
  const tenantOf = (id: string | undefined): Tenant => {
    const found = id === undefined ? tenants.values().next().value : tenants.get(id)
    if (found === undefined) throw new Error(`no tenant ${id}`)
    return found
  }
  const app = appOf({
    search: createSearchService((id) => tenantOf(id).engine),
    ingest: createIngestService({
      targetOf: tenantOf,
      log,
      nowNs: () => NOW_NS,
      limits: overrides.limits ?? defaultServerLimits,
    }),
    backends,
    ...overrides,
  })
  return { app, tenants }
}

/** Returns all rows that a query finds. */
export async function found(
  app: App,
  path: string,
  query = '*',
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sent = await post(app, path, { start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z', query }, headers)
  if (sent.status !== 200) throw new Error(sent.text)
  return sent.body as readonly Readonly<Record<string, unknown>>[]
}
