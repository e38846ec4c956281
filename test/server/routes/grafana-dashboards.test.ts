// @module-tag slow
import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { moduleBeside } from '../../../src/system/index.ts'

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets: readonly {
    readonly expr?: string
    /** Query text of a Tempo panel. */
    readonly query?: string
    readonly datasource: { readonly type: string }
  }[]
}

const folder = new URL('../../../deploy/grafana/dashboards/', import.meta.url)
const dashboards = readdirSync(folder).map((name) => ({
  name,
  panels: (JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { readonly panels: readonly Panel[] }).panels,
}))
const targets = dashboards.flatMap(({ name, panels }) =>
  panels.flatMap(({ title, type, targets: queries }) =>
    queries.map(({ expr, query, datasource }) => ({
      place: `${name}: ${title}`,
      type,
      expr: expr ?? query ?? '',
      source: datasource.type,
    })),
  ),
)

const NOW_MS = Date.UTC(2026, 2, 10, 12)
/** Values that Grafana substitutes for its variables. */
const VARIABLES: Readonly<Record<string, string>> = {
  $__rate_interval: '5m',
  $__auto: '5m',
  $namespace: '.+',
  $search: '',
  $service: '.*',
}

const PATHS: Readonly<Partial<Record<string, string>>> = {
  loki: '/loki/api/v1/query_range',
  prometheus: '/api/v1/query_range',
  tempo: '/tempo/api/metrics/query_range',
}

/** Results in answers of Loki and Prometheus, or traces in answers of Tempo. */
interface Found {
  readonly data?: { readonly resultType: string; readonly result: readonly unknown[] }
  readonly traces?: readonly unknown[]
  readonly series?: readonly unknown[]
}

let server: SluiceServer
beforeAll(async () => {
  const nowNs = BigInt(NOW_MS) * 1_000_000n
  server = await createServer({
    keys: ['key-of-grafana'],
    clock: { nowMs: () => NOW_MS, nowNs: () => nowNs },
    load: {
      module: moduleBeside(new URL('../../../src/cli/serve/loader.ts', import.meta.url).href, 'load-data'),
      data: { seed: 1, files: [], options: undefined, nowNs },
      onMessage: () => undefined,
    },
  })
  await server.loaded
})
afterAll(() => server.close())

describe('a panel has data of the demo', () => {
  test.each(targets)('$place', async ({ expr, source, type }) => {
    const query = Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr)
    const [start, end] = [NOW_MS / 1000 - 6 * 3600, NOW_MS / 1000].map(String) as [string, string]
    const isSearch = type === 'table'
    const path = isSearch ? '/tempo/api/search' : PATHS[source]
    const search = new URLSearchParams({ [source === 'tempo' ? 'q' : 'query']: query, start, end })
    if (!isSearch) search.set('step', '300')
    const headers = { Authorization: `Basic ${btoa('default:key-of-grafana')}` }
    const answer = await server.fetch(new Request(`http://localhost${path}?${search.toString()}`, { headers }))
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    const { data, traces, series } = JSON.parse(text) as Found
    if (source !== 'tempo') expect(data?.resultType).toBe(type === 'logs' ? 'streams' : 'matrix')
    expect((data?.result ?? traces ?? series)?.length).toBeGreaterThan(0)
  })
})
