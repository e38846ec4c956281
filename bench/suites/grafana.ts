import { parseArgs } from 'node:util'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { createServer } from '../../src/server/index.ts'
import { dayStartNs, daySeconds } from '../datasets.ts'
import { generatedLines } from '../generated-lines.ts'

/**
 * Sends the requests of Grafana's Loki data source and of Logs Drilldown to a server over generated rows, each once and
 * for the first time, and prints the time of each: `npm run bench -- grafana [--rows N]`. The exit code is 1 if a request
 * is not answered 200.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    /** Hours of the day of the rows that are asked for. */
    hours: { type: 'string', default: '24' },
  },
})

const KEY = 'key-of-the-bench-of-grafana-0123456789'

/** A request; `isParsed` says that it needs what stands in the lines, not labels and metadata alone. */
interface Asked {
  readonly screen: string
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly isParsed: boolean
}

const DROP = '| json | logfmt | drop __error__, __error_details__'

function logs(screen: string, query: string, limit: string, isParsed = query.includes('| json')): Asked {
  return { screen, path: 'query_range', parameters: { query, limit, direction: 'backward' }, isParsed }
}

function series(screen: string, query: string, isParsed = query.includes('| json')): Asked {
  return { screen, path: 'query_range', parameters: { query, step: '300s' }, isParsed }
}

function list(screen: string, path: string, parameters: Readonly<Record<string, string>>, isParsed = false): Asked {
  return { screen, path, parameters, isParsed }
}

/** The requests in the order in which the screens send them, about one service and one of its fields. */
function requests(service: string, namespace: string): readonly Asked[] {
  const one = `service_name="${service}"`
  return [
    list('drilldown start', 'detected_labels', { query: '' }),
    list('drilldown start', 'index/volume', {
      query: '{service_name=~`.+`}',
      limit: '5000',
      targetLabels: 'service_name',
    }),
    series('drilldown start', `sum by (detected_level) (count_over_time({ ${one} } [300s]))`),
    logs('drilldown start', `{ ${one} }`, '100'),
    list('drilldown service', 'detected_labels', { query: `{${one}}` }),
    list('drilldown service', 'detected_fields', { query: `{${one}} ${DROP}` }, true),
    list('drilldown service', 'patterns', { query: `{${one}}`, step: '300s' }, true),
    logs('drilldown service', `{${one}} ${DROP}`, '1000'),
    series('drilldown service', `sum by (detected_level) (count_over_time({${one}} ${DROP} [300s]))`),
    series('drilldown label', `sum by (namespace) (count_over_time({${one}, namespace != ""} [300s]))`),
    series('drilldown field', `sum by (status) (count_over_time({${one}} | status!="" [300s]))`),
    series('drilldown field', `avg_over_time({${one}} | unwrap duration_ms | __error__="" [300s]) by ()`),
    list('drilldown field', 'detected_field/status/values', { query: `{${one}}`, limit: '1000' }),
    list('query builder', 'labels', {}),
    list('query builder', 'label/namespace/values', {}),
    list('query builder', 'series', { 'match[]': `{namespace="${namespace}"}` }),
    logs('query builder', `{namespace="${namespace}"}`, '10'),
    list('explore', 'index/stats', { query: `{namespace="${namespace}"}` }),
    logs('explore', `{namespace="${namespace}"} |= \`error\``, '1000'),
    series(
      'explore',
      `sum by (level, detected_level) (count_over_time({namespace="${namespace}"} |= \`error\` [300s]))`,
    ),
    logs('explore', `{namespace="${namespace}"} |~ "(?i)TIMEOUT"`, '1000'),
    logs('explore', `{namespace="${namespace}"} | detected_level="error"`, '1000'),
    series('explore', `sum(rate({namespace="${namespace}"}[300s])) by (pod)`),
    series('explore', `topk(10, sum by (service_name) (bytes_rate({namespace="${namespace}"}[300s])))`),
  ]
}

const store = createMemoryStore(standardCatalog)
const { writer } = store.table('logs')
for await (const lines of generatedLines(values.rows, values.seed)) writer.appendJsonLines(lines, { nowNs: 0n })
const server = await createServer({ store, keys: [KEY], workers: Number(values.workers) })
await server.loaded
// An open port keeps the process alive while workers answer.
await server.listen({ port: 0 })

const endNs = dayStartNs + BigInt(daySeconds) * 1_000_000_000n
const range = {
  start: String(endNs - BigInt(Math.round(Number(values.hours) * 3600)) * 1_000_000_000n),
  end: String(endNs),
}

async function send({ path, parameters }: Pick<Asked, 'path' | 'parameters'>): Promise<string> {
  const search = new URLSearchParams({ ...range, ...parameters }).toString()
  const headers = { Authorization: `Bearer ${KEY}`, 'X-Loki-Response-Encoding-Flags': 'categorize-labels' }
  const response = await server.fetch(new Request(`http://localhost/loki/api/v1/${path}?${search}`, { headers }))
  const text = await response.text()
  if (response.ok) return text
  process.exitCode = 1
  console.log(`${path} ${search}: ${response.status} ${text}`)
  return text
}

/** The service with the most lines, and its namespace. */
async function largestService(): Promise<readonly [service: string, namespace: string]> {
  const query = '* | stats by (workload, namespace) count() as n | sort by (n desc) | limit 1'
  const [from, to] = [range.start, range.end].map((ns) => new Date(Number(BigInt(ns) / 1_000_000n)).toISOString())
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ start: from, end: to, query })
  const request = new Request('http://localhost/api/logs/v2/search', { method: 'POST', headers, body })
  const [row] = (await (await server.fetch(request)).json()) as readonly Readonly<Record<string, string>>[]
  return [row?.['workload'] ?? '', row?.['namespace'] ?? '']
}

const [service, namespace] = await largestService()
console.log(`${values.rows} rows, ${values.hours} h, ${values.workers} workers, ${service} in ${namespace}`)
for (const asked of requests(service, namespace)) {
  const startMs = performance.now()
  const text = await send(asked)
  const ms = Math.round(performance.now() - startMs)
  const what = asked.parameters['query'] ?? asked.parameters['match[]'] ?? ''
  console.log(
    [
      `${ms} ms`.padStart(9),
      asked.isParsed ? 'parsed' : 'labels',
      asked.screen.padEnd(17),
      `${Math.ceil(text.length / 1024)} KiB`.padStart(9),
      `${asked.path} ${what}`,
    ].join('  '),
  )
}
await server.close()
