import type { z } from 'zod'
import { errorResponse, jsonSchemas, type JsonSchema } from '../../wire/index.ts'
import { JSON_TYPE } from '../http/respond.ts'
import type { AnyRoute, RouteAnswer } from '../routes/definition/route.ts'
import type { OpenTo } from '../auth/auth-context.ts'
import { SESSION_COOKIE } from '../auth/sessions.ts'
import type { SystemRoute } from './system-routes.ts'

const SIGN_IN_ERRORS: readonly (readonly [string, string])[] = [
  ['400', 'The code is missing.'],
  ['403', 'A page of another origin asks, or the header `X-Sluice-Console` is missing.'],
  ['413', 'The body is too large.'],
  ['415', 'The body is not JSON.'],
  ['503', 'The keys cannot be read.'],
]

const uri = (id: string): string => `#/components/schemas/${id}`

const ERRORS: readonly (readonly [string, string])[] = [
  ['400', 'Something in the request is wrong; `details` says what and where.'],
  ['401', 'No key, or one that is not known here.'],
  ['403', 'The key has no access to this.'],
  ['413', 'The body is too large.'],
  ['415', 'The body is of a type that cannot be read here.'],
  ['429', 'This key has too many queries in work.'],
  ['500', 'A fault of the server.'],
  ['503', 'The server is busy, or stopping.'],
]

/** Returns a reference to a named schema, or the schema itself. */
function refer(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id
  if (id !== undefined) return { $ref: uri(id) }
  const { $schema: _, ...inline } = schema.toJSONSchema({ io: 'input' })
  return inline
}

interface Responses {
  [status: string]: { readonly description: string; readonly content?: JsonSchema }
}

/** Groups answers by status, with one schema for each content type. */
function successes(answers: readonly RouteAnswer[]): Responses {
  const responses: Responses = {}
  for (const { status, description, schema, contentType } of answers) {
    const before = responses[status]
    const content =
      schema === undefined
        ? {}
        : { content: { ...before?.content, [contentType ?? JSON_TYPE]: { schema: refer(schema) } } }
    responses[status] = { description: before?.description ?? description, ...content }
  }
  return responses
}

/** Returns the error schemas of a route by content type. */
function errorsOf({ errors = errorResponse }: Pick<AnyRoute, 'errors'>): ReadonlyMap<string, z.ZodType> {
  return errors instanceof Map ? errors : new Map([[JSON_TYPE, errors as z.ZodType]])
}

const failure = (description: string, route: Pick<AnyRoute, 'errors'> = {}): Responses[string] => ({
  description,
  content: Object.fromEntries([...errorsOf(route)].map(([type, schema]) => [type, { schema: refer(schema) }])),
})

/** Security schemes, of which a request needs only one. */
const KEY_SECURITY = [{ bearer: [] }, { plain: [] }, { basic: [] }, { header: [] }, { session: [] }]

function bodyOf(body: z.ZodType | undefined, types: readonly string[] = [JSON_TYPE]): JsonSchema {
  if (body === undefined) return {}
  const content = Object.fromEntries(types.map((type) => [type, { schema: refer(body) }]))
  return { requestBody: { required: true, content } }
}

/**
 * Returns the security requirement of a route. An empty entry means that programs on the server's machine need no key;
 * `undefined` means that a key is needed.
 */
function securityOf(access: SystemRoute['access'], openTo: OpenTo): readonly object[] | undefined {
  if (access === 'key') return undefined
  if (access === 'everyone' || openTo === 'everyone') return []
  return [...(openTo === 'loopback' ? [{}] : []), ...KEY_SECURITY]
}

function systemOperation(
  { name, summary, body, answers, isRefusedUnready, access }: SystemRoute,
  openTo: OpenTo,
): JsonSchema {
  const security = securityOf(access, openTo)
  const asksKey = security === undefined || security.length > 0
  const responses = {
    ...successes(answers),
    ...(isRefusedUnready ? { '503': failure('The server is starting, or stopping.') } : {}),
    '421': failure('Asked without a key, by a name that does not lead to this machine alone.'),
    ...(asksKey ? { '401': failure('No key, or one that is not known here.') } : {}),
    ...(access === 'key' ? Object.fromEntries(SIGN_IN_ERRORS.map(([status, why]) => [status, failure(why)])) : {}),
  }
  return {
    operationId: name,
    summary,
    parameters: [],
    ...(security === undefined ? {} : { security }),
    ...bodyOf(body),
    responses,
  }
}

function operation(route: AnyRoute): JsonSchema {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))
  const inQuery = (route.parameters ?? []).map(({ name, description, schema }) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: refer(schema),
  }))
  const inHeader =
    route.takesIfMatch === true
      ? [
          {
            name: 'If-Match',
            in: 'header',
            required: false,
            description: 'The `ETag` under which it was read: another version is left as it is.',
            schema: { type: 'string' },
          },
        ]
      : []
  const responses = successes(route.answers)
  for (const [status, description] of ERRORS) responses[status] = failure(description, route)
  if (route.isTagged === true)
    responses['304'] = { description: 'As in the answer whose `ETag` is in `If-None-Match`.' }
  if (route.takesIfMatch === true)
    responses['412'] = failure('What is stored is not the version that `If-Match` names; nothing was changed.', route)
  if (route.isIngest === true) responses['507'] = failure('The disk is full; nothing was stored.', route)
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.alsoAt === undefined
      ? {}
      : { description: `Also at ${route.alsoAt.map((path) => `\`${path}\``).join(', ')}.` }),
    parameters: [...inPath, ...inQuery, ...inHeader, { $ref: '#/components/parameters/BackendId' }],
    ...bodyOf(route.body, route.bodyTypes),
    responses,
    'x-role': route.role,
  }
}

/**
 * Returns the OpenAPI 3.1 document of the existing routes, generated from the schemas that validate bodies. Operations
 * with an empty `security` need no key; the others have their role in `x-role`.
 */
export function openApiDocument(
  routes: readonly AnyRoute[],
  system: readonly SystemRoute[],
  version: string,
  openTo: OpenTo = 'loopback',
): JsonSchema {
  const roots: z.ZodType[] = [errorResponse]
  const paths: { [path: string]: JsonSchema } = {}
  for (const route of routes) {
    if (route.body !== undefined) roots.push(route.body)
    roots.push(...errorsOf(route).values())
    for (const { schema } of route.answers) if (schema !== undefined) roots.push(schema)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  for (const route of system) {
    if (route.body !== undefined) roots.push(route.body)
    for (const { schema } of route.answers) if (schema?.meta()?.id !== undefined) roots.push(schema)
    const method = route.method.toLowerCase()
    paths[route.path] = { ...paths[route.path], [method]: systemOperation(route, openTo) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description:
        'Search logs, events, traces and metrics. Names of members compare without regard to case; `null` and `{}` count as not given; unknown members are ignored.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    security: KEY_SECURITY,
    paths,
    components: {
      schemas: jsonSchemas(roots, uri),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        plain: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The key alone, without a scheme, or behind the words `ApiKey` or `Splunk` as agents write them.',
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The key as the password. With several backends, the user can name one.',
        },
        header: { type: 'apiKey', in: 'header', name: 'DD-API-KEY' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description:
            'A console session. Behind the name stand `_` and the port of the address, if it has one, before it `__Host-` over TLS. Requests that are not GET also need the header `X-Sluice-Console: 1`.',
        },
      },
      parameters: {
        BackendId: {
          name: 'X-Backend-Id',
          in: 'header',
          required: false,
          description:
            'Id of the backend, if there are several. Without it `X-Scope-OrgID`, `AccountID` with `ProjectID` (as `ACCOUNT:PROJECT`), or the user name of basic authentication names it.',
          schema: { type: 'string' },
        },
      },
    },
  }
}
