import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'

interface DataSource {
  readonly type: string
  readonly url: string
  readonly basicAuth: boolean
  readonly basicAuthUser: string
  readonly secureJsonData: { readonly basicAuthPassword: string }
}

const file = new URL('../../../deploy/grafana/provisioning/datasources/sluice.yaml', import.meta.url)
const { datasources } = parse(readFileSync(file, 'utf8')) as { readonly datasources: readonly DataSource[] }

/** Requests that "Save & test" sends for each type of data source. */
const CHECKS: ReadonlyMap<string, readonly [path: string, form: string]> = new Map([
  ['victoriametrics-logs-datasource', ['/select/logsql/query?query=*&limit=1&start=-5m', '']],
  ['loki', ['/loki/api/v1/query?query=vector(1)%2Bvector(1)&time=4000000000', '']],
  ['prometheus', ['/api/v1/query', 'query=1%2B1&time=4000000000']],
  ['tempo', ['/api/echo', '']],
  ['jaeger', ['/api/services', '']],
])

let server: SluiceServer
beforeAll(async () => {
  server = await createServer({ keys: ['key-of-grafana'] })
})
afterAll(() => server.close())

test.each(datasources)('the provisioned data source $type passes its check', async (source) => {
  expect(source.basicAuth).toBe(true)
  const of = (text: string): string =>
    text.replace('$SLUICE_URL', 'http://localhost').replace('$SLUICE_API_KEY', 'key-of-grafana')
  const [path, form] = CHECKS.get(source.type) ?? ['', '']
  const credentials = btoa(`${source.basicAuthUser}:${of(source.secureJsonData.basicAuthPassword)}`)
  const headers = { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const init = form === '' ? { headers } : { method: 'POST', headers, body: form }
  const answer = await server.fetch(new Request(`${of(source.url)}${path}`, init))
  expect(answer.status, await answer.text()).toBe(200)
})
