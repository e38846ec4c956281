import { Ajv2020 } from 'ajv/dist/2020.js'
import { present } from '../../../src/base/index.ts'
import { createFieldService } from '../../../src/server/index.ts'
import { appOf, send } from './harness.ts'

interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> }
}

interface Operation {
  readonly operationId: string
  /** If absent, the document's default applies: a key is required. */
  readonly security?: readonly unknown[]
  readonly responses: Record<string, { content?: Record<string, unknown> }>
  readonly requestBody?: { readonly content: Record<string, { schema: unknown }> }
}

const none = { query: () => Promise.reject(new Error()), list: () => Promise.reject(new Error()) }

export const services = {
  metrics: none,
  eventList: none,
  clusters: none,
  workloads: none,
  ingest: { ingest: () => Promise.reject(new Error()) },
  fields: createFieldService({ search: () => Promise.reject(new Error()) }),
}

/** Placeholders that are never called. The document only depends on which services exist. */
export const resources = { monitors: none as never, silences: none as never, policies: none as never }

/** OpenAPI document of an app with every service. */
export const document = JSON.parse((await send(appOf({ ...services, ...resources }), '/openapi.json')).text) as Document

const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true, uuid: true } })
for (const keyword of ['openapi', 'info', 'paths', 'components', 'security', 'jsonSchemaDialect'])
  ajv.addKeyword(keyword)
ajv.addSchema({ ...document, $id: 'openapi' })

function faultsUnder(steps: readonly string[], value: unknown): string | undefined {
  const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const validate = ajv.compile({ $ref: `openapi#/${pointer}` })
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** Returns the path template that an address belongs to: the same path, or one with parameters. */
function templateOf(pathname: string, method: string): string {
  if (document.paths[pathname]?.[method.toLowerCase()] !== undefined) return pathname
  const isMatch = (path: string): boolean => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  return Object.keys(document.paths).find(isMatch) ?? pathname
}

/** Returns the deviations of an answer from Sluice's OpenAPI document. */
export function answerFaults(
  path: string,
  method: string,
  status: number,
  contentType: string,
  body: unknown,
): string | undefined {
  const pathname = templateOf(present(path.split('?')[0]), method)
  const responses = document.paths[pathname]?.[method.toLowerCase()]?.responses
  if (responses === undefined || body === undefined) return undefined
  // The document lists no answers for an unknown operation, but its error still uses the common envelope.
  if ((status === 404 || status === 405) && responses[status] === undefined)
    return faultsUnder(['components', 'schemas', 'ErrorResponse'], body)
  if (responses[status]?.content?.[contentType] === undefined) return `${status} ${contentType} is not in the document`
  return faultsUnder(
    ['paths', pathname, method.toLowerCase(), 'responses', String(status), 'content', contentType, 'schema'],
    body,
  )
}

/** Returns the content types in which an operation of the document returns errors. */
export function typesOfErrors({
  template,
  method,
}: {
  readonly template: string
  readonly method: string
}): readonly string[] {
  return Object.keys(document.paths[template]?.[method.toLowerCase()]?.responses['400']?.content ?? {})
}

/** Returns the deviations of a request body from its schema in the OpenAPI document. */
export function bodyFaults(path: string, body: unknown): string | undefined {
  return faultsUnder(['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'], body)
}
