import { JSON_HEADERS, KEY, send, type Sent } from '../../harness/harness.ts'
import { endpoints as searchEndpoints, type Endpoint } from '../bad-bodies.ts'
import type { App } from '../../../../src/server/index.ts'
import { DEAD_LETTER } from './whole-alerting.ts'

/** The body format that an operation takes. */
export type Takes = 'json' | 'yaml' | 'lines' | 'otlp' | 'loki' | 'snappy' | 'exposition' | 'agent' | 'form' | 'nothing'

/** An operation of the API, with everything that is needed to send it bad requests. */
export interface Operation {
  /** The method and path as written in the document, such as `POST /api/monitors`. */
  readonly name: string
  readonly method: string
  /** Path with the id of an existing document, if the path has an id. */
  readonly path: string
  /** The valid JSON body, and the members that bad requests replace. */
  readonly template: string
  readonly takes: Takes
  /** The JSON body and its members that requests make invalid. */
  readonly json?: Endpoint | undefined
  /** True if the operation requires more than the role `read`. */
  readonly isGuarded: boolean
  readonly parameters: readonly string[]
}

const none = {
  times: [],
  texts: [],
  counts: [],
  flags: [],
  conditions: [],
  words: [],
  required: [],
  pipeline: undefined,
}
const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
const fieldSearch = {
  ...none,
  good: { ...range, query: '*' },
  times: ['start', 'end'],
  texts: ['query', 'filters'],
  conditions: ['sources'],
  words: ['domain'],
  required: ['start', 'end'],
}
const silence = { startsAt: range.start, endsAt: range.end, comment: 'x', matchers: [{ name: 'a', value: 'b' }] }
const policy = { name: 'p', description: 'x', role: { read: '' } }

const silenceMembers = {
  ...none,
  good: silence,
  times: ['startsAt', 'endsAt'],
  texts: ['comment', 'BackendID', 'ClientID'],
}
const policyMembers = { ...none, good: policy, texts: ['name', 'description', 'claimRole'] }

/** Valid JSON bodies of the operations that are not searches. */
const jsonBodies: Readonly<Record<string, Omit<Endpoint, 'path'>>> = {
  'POST /api/explain': { ...fieldSearch, required: [], flags: ['analyze'] },
  'POST /api/check': { ...none, good: { query: '*' }, texts: ['query'], words: ['domain'], required: ['query'] },
  'POST /api/fields/names': fieldSearch,
  'POST /api/fields/values': {
    ...fieldSearch,
    good: { ...fieldSearch.good, field: 'level' },
    required: ['start', 'end', 'field'],
    counts: ['limit'],
  },
  'POST /api/fields/facets': { ...fieldSearch, counts: ['limit'] },
  'POST /api/hits': { ...fieldSearch, good: { ...fieldSearch.good, step: '1h' } },
  'POST /api/monitors/list': {
    ...none,
    good: { limit: 5 },
    texts: ['query'],
    counts: ['limit', 'skip'],
    conditions: ['conditions'],
    words: ['sort'],
  },
  'POST /api/rows/delete': {
    ...none,
    good: { ...range, where: 'no:such' },
    times: ['start', 'end'],
    texts: ['where'],
    flags: ['write'],
    words: ['table'],
    required: ['start', 'end', 'where'],
  },
  'POST /api/monitors/{id}/resolve': { ...none, good: { labels: { a: 'b' } }, required: ['labels'] },
  'POST /test/clock': { ...none, good: { now: range.end }, texts: ['now'], required: ['now'] },
  'POST /api/monitors/silences': { ...silenceMembers, required: ['startsAt', 'endsAt'] },
  'PUT /api/monitors/silences/{id}': silenceMembers,
  'PUT /api/saved-queries': { ...none, good: { queries: [{ name: 'a', query: '*' }] }, required: ['queries'] },
  'POST /api/rbac/policy/create': { ...policyMembers, required: ['name'] },
  'PUT /api/rbac/policy/{id}': { ...policyMembers, required: ['name'], counts: ['currentRevision'] },
  'POST /api/rbac/policy/apply': {
    ...none,
    good: { emails: ['a@b.c'], policyUUIDs: [] },
    flags: ['override'],
    required: ['emails', 'policyUUIDs'],
  },
}

interface Documented {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  /** Required role. Absent for operator endpoints that need no key. */
  readonly 'x-role'?: string
}

function takesOf(template: string, { requestBody }: Documented): Takes {
  if (requestBody === undefined) return 'nothing'
  const types = Object.keys(requestBody.content)
  if (template.startsWith('/api/ingest/') || template === '/insert/jsonline') return 'lines'
  if (types.includes('application/octet-stream')) return 'agent'
  if (template.startsWith('/v1/')) return 'otlp'
  if (template.endsWith('/push')) return 'loki'
  if (template === '/api/v1/write' || template === '/api/v1/read') return 'snappy'
  if (template === '/api/v1/import/prometheus') return 'exposition'
  if (types.includes('application/x-www-form-urlencoded')) return 'form'
  return types.includes('application/x-yaml') ? 'yaml' : 'json'
}

/** Trace id of the first span of the fixtures. */
const TRACE = '5bb831a2c53b613d57c750b795323065'

export const KEY_HEADER = { Authorization: `Bearer ${KEY}` }

function idIn({ body, text }: Sent): string {
  const record = body as Readonly<Record<string, string | undefined>> | undefined
  const id = record?.['monitorId'] ?? record?.['id'] ?? record?.['uuid']
  if (id === undefined) throw new Error(`nothing was made: ${text}`)
  return id
}

/** Returns every operation of the app's document that needs a key. Documents exist for all ids in the paths. */
export async function operationsOf(app: App): Promise<readonly Operation[]> {
  const { paths } = (await send(app, '/openapi.json', { headers: JSON_HEADERS })).body as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
  }
  const make = async (path: string, body: unknown): Promise<string> =>
    idIn(
      await send(app, path, {
        method: 'POST',
        headers: { ...KEY_HEADER, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const monitor = await make('/api/monitors', { title: 'm', model: { queries: [{ name: 'q', expression: '*' }] } })
  const ids = new Map([
    ['/api/monitors/{id}', monitor],
    ['/api/monitors/{id}/state', monitor],
    ['/api/monitors/{id}/resolve', monitor],
    ['/api/monitors/dead-letters/{id}/resend', DEAD_LETTER],
    ['/api/v2/silence/{id}', await make('/api/monitors/silences', silence)],
    ['/api/monitors/silences/{id}', await make('/api/monitors/silences', silence)],
    ['/api/rbac/policy/{id}', await make('/api/rbac/policy/create', { name: 'first' })],
  ])
  const searches = new Map(searchEndpoints.map((endpoint) => [`POST ${endpoint.path}`, endpoint]))
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([word, documented]): readonly Operation[] => {
      if (documented['x-role'] === undefined) return []
      const method = word.toUpperCase()
      const name = `${method} ${template}`
      const path = template
        .replace('{id}', ids.get(template) ?? '')
        .replace('{name}', 'job')
        .replace('{trace}', TRACE)
        .replace('{tag}', 'resource.service.name')
        .replace('{index}', 'logs')
      const body = jsonBodies[name]
      const json = searches.get(name) ?? (body === undefined ? undefined : { ...body, path })
      const parameters = (documented.parameters ?? []).flatMap((each) => (each.in === 'query' ? [each.name ?? ''] : []))
      const takes = takesOf(template, documented)
      const isGuarded = documented['x-role'] !== 'read'
      return [{ name, method, path, template, takes, json, isGuarded, parameters }]
    }),
  )
}

/** Content type to send for each body format. */
export const typeOf: Readonly<Record<Takes, string>> = {
  json: 'application/json',
  yaml: 'application/x-yaml',
  lines: 'application/json',
  otlp: 'application/x-protobuf',
  loki: 'application/x-protobuf',
  snappy: 'application/x-protobuf',
  exposition: 'text/plain',
  agent: 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
  nothing: '',
}
