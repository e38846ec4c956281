import { ITEMS_PER_CHECKPOINT } from '../../../base/index.ts'
import {
  bulkAnswer,
  bulkError,
  bulkHealthAnswer,
  bulkLicenseAnswer,
  bulkServerAnswer,
  bulkSetUp,
  bulkSetupAnswer,
} from '../../../wire/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import { fault } from '../../errors/http-fault.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { json, jsonChunks } from '../../http/respond.ts'
import { defineRoute, type AnyRoute, type RouteCall, type Route } from '../definition/route.ts'
import type { ErrorAnswer, ShapedError } from '../../errors/to-error-response.ts'
import { AGENT_TYPES, agentRoute, forSenders } from './agent-route.ts'

/** A header without which Elasticsearch clients refuse to continue. */
const PRODUCT = { 'X-Elastic-Product': 'Elasticsearch' }
/** Reported version of Elasticsearch. Agents choose the form of their requests by this version. */
const SPOKEN_VERSION = '8.19.0'
const PREFIXES = ['', '/elasticsearch', '/insert/elasticsearch'] as const
const BULK_TYPES = [...AGENT_TYPES, 'application/vnd.elasticsearch+x-ndjson'] as const

/** Returns the first path as the main path, and all paths below all prefixes as aliases. */
function pathsOf(...paths: readonly string[]): Pick<Route, 'path' | 'alsoAt'> {
  const [path = '', ...alsoAt] = PREFIXES.flatMap((prefix) => paths.map((each) => prefix + each))
  // Clients with a prefix also request the prefix without a slash.
  const bare = paths.includes('/') ? PREFIXES.filter((prefix) => prefix !== '') : []
  return { path, alsoAt: [...alsoAt, ...bare] }
}

const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'security_exception'],
  [403, 'security_exception'],
  [413, 'content_too_long_exception'],
  [415, 'media_type_header_exception'],
  [429, 'es_rejected_execution_exception'],
  [500, 'exception'],
  [503, 'cluster_block_exception'],
  [507, 'cluster_block_exception'],
])

function shapeError(_: unknown, { status, headers, body }: ErrorAnswer): ShapedError {
  const cause = { type: ERROR_TYPES.get(status) ?? 'illegal_argument_exception', reason: body.message }
  return {
    status,
    headers: { ...headers, ...PRODUCT },
    body: { ...body, status, error: { ...cause, root_cause: [cause] } },
  }
}

const bulkErrors = { errors: bulkError, shapeError } satisfies ErrorForm
const forClients = { ...forSenders, ...bulkErrors }

/** Yields the JSON text of the result of each action, in order. */
function* bulkText({ rejected, marks }: IngestReport, tookMs: number): Generator<string> {
  yield `{"took":${tookMs},"errors":${rejected > 0},"items":[`
  const { texts, textIndexes: items } = marks ?? { texts: [], textIndexes: new Uint8Array() }
  for (let from = 0; from < items.length; from += ITEMS_PER_CHECKPOINT) {
    const batch = Array.from(items.subarray(from, from + ITEMS_PER_CHECKPOINT), (index) => texts[index])
    yield `${from === 0 ? '' : ','}${batch.join(',')}`
  }
  yield ']}'
}

async function bulkAnswerOf(report: IngestReport, { context, memory }: RouteCall<unknown>): Promise<HttpAnswer> {
  const answer = await jsonChunks(bulkText(report, 0), { limitBytes: context.limits.answerBytes, memory })
  return { ...answer, headers: { ...answer.headers, ...PRODUCT } }
}

function bulkRoute(name: string, path: string, summary: string): AnyRoute {
  return agentRoute({
    name,
    ...pathsOf(path),
    summary,
    format: 'elasticsearch-bulk',
    bodyTypes: BULK_TYPES,
    answers: [{ status: 200, description: 'The result of each action.', schema: bulkAnswer }],
    ...bulkErrors,
    defaultFields: ({ path: members }) => {
      const index = members.get('index')
      return index === undefined ? {} : { _index: index }
    },
    answer: bulkAnswerOf,
  })
}

type RouteDescription = Pick<Route, 'name' | 'path' | 'alsoAt' | 'summary' | 'answers'>

/** Throws 404 for an invalid index or template name. */
function checkName(path: ReadonlyMap<string, string>): void {
  if (!/^[\w.@*,-]+$/.test(path.get('name') ?? 'none')) throw fault('not-found', { what: 'name' })
}

/** Creates a route that answers with a fixed value. Clients request it before they send data. */
function askedFirst(route: RouteDescription, value: object): AnyRoute {
  return defineRoute({
    ...route,
    method: 'GET',
    ...forClients,
    handle: ({ path }) => {
      checkName(path)
      return Promise.resolve(json(value, 200, PRODUCT))
    },
  })
}

/** Paths at which agents create templates, policies and pipelines. */
const setUpAt = pathsOf(
  '/_index_template/{name}',
  '/_component_template/{name}',
  '/_template/{name}',
  '/_ilm/policy/{name}',
  '/_data_stream/{name}',
  '/_ingest/pipeline/{name}',
)

/** Routes of the bulk API, and of requests that agents make before they use it. */
export const elasticsearchRoutes: readonly AnyRoute[] = [
  bulkRoute('elasticsearchBulk', '/_bulk', 'Store logs sent by the bulk API'),
  bulkRoute('elasticsearchIndexBulk', '/{index}/_bulk', 'Store logs sent by the bulk API to an index'),
  askedFirst(
    {
      name: 'elasticsearchServer',
      ...pathsOf('/'),
      summary: 'Return the version that clients of the bulk API expect',
      answers: [{ status: 200, description: 'Version and name of the server.', schema: bulkServerAnswer }],
    },
    {
      name: 'sluice',
      cluster_name: 'sluice',
      cluster_uuid: 'sluice',
      version: { number: SPOKEN_VERSION, build_flavor: 'default', minimum_wire_compatibility_version: '7.17.0' },
      tagline: 'You Know, for Search',
    },
  ),
  askedFirst(
    {
      name: 'elasticsearchLicense',
      ...pathsOf('/_license'),
      summary: 'Return the licence that clients of the bulk API expect',
      answers: [{ status: 200, description: 'The licence.', schema: bulkLicenseAnswer }],
    },
    { license: { uid: '00000000-0000-0000-0000-000000000000', type: 'basic', status: 'active' } },
  ),
  askedFirst(
    {
      name: 'elasticsearchHealth',
      ...pathsOf('/_cluster/health'),
      summary: 'Health check of the bulk API',
      answers: [{ status: 200, description: 'The status of the server.', schema: bulkHealthAnswer }],
    },
    { cluster_name: 'sluice', status: 'green', timed_out: false },
  ),
  askedFirst(
    {
      name: 'elasticsearchSetUp',
      path: setUpAt.path,
      alsoAt: [...(setUpAt.alsoAt ?? []), ...PREFIXES.map((prefix) => `${prefix}/_nodes/{name}`)],
      summary: 'Report an index template as present',
      answers: [{ status: 200, description: 'The template is present.', schema: bulkSetupAnswer }],
    },
    {},
  ),
  defineRoute({
    name: 'elasticsearchPutSetUp',
    ...setUpAt,
    method: 'PUT',
    summary: 'Accept and ignore an index template',
    ...forClients,
    body: bulkSetUp,
    answers: [{ status: 200, description: 'The template was read and ignored.', schema: bulkSetupAnswer }],
    handle: ({ path }) => {
      checkName(path)
      return Promise.resolve(json({ acknowledged: true }, 200, PRODUCT))
    },
  }),
]
