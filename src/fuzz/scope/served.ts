import { formatRfc3339, present, seededRandom, type Random } from '../../base/index.ts'
import { DATA_MS, type FuzzSample } from '../promql/dataset.ts'
import type { ScopeBlock } from './block.ts'
import type { ScopeQuestion, QuestionContext } from './questions.ts'
import { drawAgentCall, drawAgentMetrics, type AgentMetricTimes } from './agents.ts'
import { drawRequest, type EndpointRequest } from './endpoint.ts'
import type { HttpRequest } from './http-request.ts'
import { drawJaeger } from './jaeger.ts'
import { drawLoki } from './logql.ts'
import { drawTempo } from './traceql.ts'
import type { PolicyJson } from './policies.ts'
import type { SubjectTables } from './subject.ts'

/** Data behind the HTTP API, and users with policies. */
export interface ServedData {
  readonly tables: SubjectTables
  readonly samples: readonly FuzzSample[]
  readonly nowNs: bigint
  /** Data scopes of each user's policies in stored form. */
  readonly users: readonly (readonly PolicyJson[])[]
  /** The number of worker threads that run queries; 0 runs them in the main thread. */
  readonly workers: number
}

/** One HTTP interface. */
export interface Served {
  /** Returns everything that the user receives: status, headers and body, without wall-clock times. */
  answer(user: number, request: HttpRequest): Promise<string>
  close(): Promise<void>
}

/** Starts a server; `undefined` if it rejects the policies. */
export type Serve = (data: ServedData) => Promise<Served | undefined>

/** Description of a request, and of the difference between both answers; `undefined` if they are equal. */
export interface Compared {
  readonly way: string
  readonly leak: string | undefined
}

/**
 * Two servers for each of two callers: one over all rows, one over the visible rows. The servers start at the first
 * request.
 */
export class ServedPairs {
  readonly #serve: Serve
  readonly #dataOf: (caller: 0 | 1 | 'whole') => ServedData
  #whole: Promise<Served | undefined> | undefined
  readonly #visible: (Promise<Served | undefined> | undefined)[] = []

  constructor(serve: Serve, dataOf: (caller: 0 | 1 | 'whole') => ServedData) {
    this.#serve = serve
    this.#dataOf = dataOf
  }

  /** Compares the answers of both servers for a caller; `undefined` if the server rejects the caller's policies. */
  async compare(caller: 0 | 1, request: HttpRequest): Promise<Compared | undefined> {
    const data = this.#dataOf('whole')
    const way = data.workers === 0 ? 'over HTTP' : 'over HTTP by a worker'
    const whole = await (this.#whole ??= this.#serve(data))
    const visible = await (this.#visible[caller] ??= this.#serve(this.#dataOf(caller)))
    if (whole === undefined || visible === undefined) return undefined
    const shown = await whole.answer(caller, request)
    const wanted = await visible.answer(0, request)
    if (shown === wanted) return { way, leak: undefined }
    let at = 0
    while (at < shown.length && shown[at] === wanted[at]) at++
    const cut = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 200))
    const leak = `${way}, ${JSON.stringify(request)}: ${cut(shown)} under the scope, ${cut(wanted)} over what it shows`
    return { way, leak }
  }

  async close(): Promise<void> {
    for (const served of [this.#whole, ...this.#visible]) await (await served)?.close()
  }
}

/** Returns the number of worker threads of a block; one block in ten has some. */
function workersOf(seed: number): number {
  return seededRandom(seed ^ 0x7a11).next() < 0.1 ? 1 : 0
}

/** Returns the servers of a block's callers. */
export function servedBlock(serve: Serve, { tables, callers, baseNs }: ScopeBlock, seed: number): ServedPairs {
  const shared = { samples: [], nowNs: baseNs + 3_600_000_000_000n, workers: workersOf(seed) }
  return new ServedPairs(serve, (caller) => {
    if (caller === 'whole') return { ...shared, tables, users: callers.map(({ stored }) => stored) }
    const { stored, rows } = callers[caller]
    return { ...shared, tables: rows, users: [stored] }
  })
}

/** All samples, and the samples that each caller sees. */
interface SampleViews {
  readonly samples: readonly FuzzSample[]
  readonly callers: readonly { readonly stored: readonly PolicyJson[]; readonly samples: readonly FuzzSample[] }[]
}

/** Like `servedBlock`, over samples. */
export function servedMetrics(serve: Serve, { samples, callers }: SampleViews, seed: number): ServedPairs {
  const shared = { tables: new Map(), nowNs: BigInt(DATA_MS) * 1_000_000n, workers: workersOf(seed) }
  return new ServedPairs(serve, (caller) => {
    if (caller === 'whole') return { ...shared, samples, users: callers.map(({ stored }) => stored) }
    const { stored, samples: own } = present(callers[caller])
    return { ...shared, samples: own, users: [stored] }
  })
}

const searches: ReadonlyMap<string, string> = new Map([
  ['logs', '/api/logs/v2/search'],
  ['events', '/api/k8s/v2/events/search'],
  ['traces', '/api/traces/v2/search'],
])

/** Draws a request about a question: its search, or another request about the same rows. */
export function drawHttpRequest(
  random: Random,
  context: QuestionContext,
  question: ScopeQuestion,
  filter: string,
): HttpRequest {
  const { kind, baseNs } = context
  const search = searches.get(kind.domain)
  const request = drawRequest(random, context, filter)
  const { start, end, domain, query, field, contains, limit } = request
  const post = (path: string, body: PolicyJson): HttpRequest => ({ method: 'POST', path, body })
  const asked = contains === undefined ? {} : { contains }
  const lists = new Map([
    ['clusters', post('/api/k8s/v3/clusters/list', {})],
    ['workloads', post('/api/k8s/v3/workloads/list', { Limit: limit, Skip: random.below(3) })],
    ['events', post('/api/k8s/v2/events-over-time', { Start: start, End: end, Limit: limit, Query: query })],
  ])
  const list = lists.get(kind.domain)
  if (search !== undefined && random.next() < 0.2)
    return drawAgentCall(random, request, question.isBody ? filter : question.shown)
  if (search !== undefined && random.next() < 0.6) {
    const { shown, isBody, dialect } = question
    const isStream = random.next() < 0.3
    const range =
      random.next() < 0.7 ? { start, end } : { start, end: formatRfc3339(baseNs + BigInt(random.below(9)) * 10n ** 9n) }
    const asText = isBody ? { pipeline: JSON.parse(shown) as PolicyJson } : { query: shown }
    const body = { ...range, ...asText, ...(isStream ? { enableStream: true } : {}) }
    const accept = isStream ? random.pick(['text/event-stream', 'application/x-ndjson']) : 'application/json'
    return { ...post(`${search}?dialect=${dialect}`, body), accept }
  }
  if (list !== undefined && random.next() < 0.3) return list
  if (domain === 'logs' && random.next() < 0.7)
    return random.next() < 0.5 ? drawSelect(random, request, question) : drawLoki(random, request)
  if (domain === 'traces' && random.next() < 0.7)
    return random.next() < 0.6 ? drawTempo(random, request) : drawJaeger(random, request)
  const found = { start, end, domain, query }
  return random.pick([
    post('/api/fields/names', { ...found, ...asked }),
    post('/api/fields/values', { ...found, ...asked, field, limit }),
    post('/api/fields/facets', { ...found, limit }),
    post('/api/hits', { ...found, field, limit }),
  ])
}

/** Draws a request of VictoriaLogs' select API about logs. */
function drawSelect(
  random: Random,
  { start, end, query, field, contains, limit }: EndpointRequest,
  question: ScopeQuestion,
): HttpRequest {
  const text = question.dialect === 'logsql' && !question.isBody && random.next() < 0.5 ? question.shown : query
  const step = random.pick(['1s', '10m', '1d'])
  const groups = `${query} | stats by ("${field}") count() as n, count_uniq(_stream) as streams`
  const of = (path: string, ...pairs: readonly (readonly [string, string])[]): HttpRequest => {
    const extra: readonly (readonly [string, string])[] = [
      ...(contains === undefined ? [] : [['filter', contains] as const]),
      ...(random.next() < 0.3 ? [['extra_filters', random.pick([query, `{"${field}":"a"}`])] as const] : []),
      ...(random.next() < 0.2 ? [['ignore_pipes', '1'] as const] : []),
    ]
    const all = [['start', start], ['end', end], ...pairs, ['query', text], ...extra].map(
      ([name = '', value = '']): [string, string] => [name, value],
    )
    return { method: 'GET', path: `/select/logsql/${path}?${new URLSearchParams(all).toString()}` }
  }
  const count = ['limit', String(limit)] as const
  const named = ['field', field] as const
  const stats = random.pick(['stats_query', 'stats_query_range'])
  return random.pick([
    of('query', count),
    of('query'),
    of('hits', ['step', step]),
    of('hits', ['step', step], named, ['fields_limit', String(limit)]),
    of('field_names'),
    of('field_values', named, count),
    of('streams', count),
    of('stream_ids', count),
    of('stream_field_names'),
    of('stream_field_values', ['field', random.pick(['namespace', 'pod', field])], count),
    of('facets', count, ['keep_const_fields', '1']),
    of(stats, ['step', step], ['query', groups]),
    of(stats, ['step', step]),
  ])
}

/** Draws a request about samples. */
export function drawMetricRequest(random: Random, times: AgentMetricTimes): HttpRequest {
  if (random.next() < 0.2) return drawAgentMetrics(random, times)
  const { text, startMs, endMs, stepMs } = times
  const query = encodeURIComponent(text)
  const seconds = (ms: number): string => String(ms / 1000)
  const range = random.next() < 0.5 ? '' : `&start=${seconds(startMs)}&end=${seconds(endMs)}`
  const limit = random.next() < 0.3 ? `&limit=${random.below(4)}` : ''
  const matching =
    random.next() < 0.4 ? `&match[]=${encodeURIComponent(random.pick(['{zone="z0"}', '{job!=""}', 'level']))}` : ''
  const get = (path: string): HttpRequest => ({ method: 'GET', path })
  const stats = random.pick(['', '&stats=1', '&stats=all'])
  const label = random.pick(['__name__', 'zone', 'instance', 'cell', 'le'])
  return random.pick([
    get(`/api/v1/query?query=${query}&time=${seconds(startMs)}${limit}${stats}`),
    get(
      `/api/v1/query_range?query=${query}&start=${seconds(startMs)}&end=${seconds(endMs)}&step=${seconds(Math.max(stepMs, 1))}${limit}`,
    ),
    get(`/api/v1/labels?x=${range}${matching}${limit}`),
    get(`/api/v1/label/${label}/values?x=${range}${matching}${limit}`),
    get(`/api/v1/series?x=${range}&match[]=${encodeURIComponent('{__name__=~".+"}')}${limit}`),
    get(`/api/v1/metadata?x=${limit}`),
    get(`/api/v1/status/tsdb?x=${limit}`),
    get(`/federate?match[]=${encodeURIComponent('{__name__!=""}')}${matching}`),
    get(`/api/v1/query_exemplars?query=${query}&start=${seconds(startMs)}&end=${seconds(endMs)}`),
    {
      method: 'POST',
      path: '/api/metrics/query',
      body: {
        Promql: text,
        QueryType: 'instant',
        Start: formatRfc3339(BigInt(startMs) * 1_000_000n),
        End: formatRfc3339(BigInt(startMs) * 1_000_000n),
      },
    },
  ])
}
