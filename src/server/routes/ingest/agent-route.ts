import { present } from '../../../base/index.ts'
import { ingestBody } from '../../../wire/index.ts'
import type { RecordOptions } from '../../../store/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { noticed } from '../../ingest/noticed.ts'
import { recordOptionParameters, recordOptionsOf } from '../../ingest/record-options.ts'
import { defineRoute, type AnyRoute, type RouteCall, type Route } from '../definition/route.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'

/** Content types with which agents send JSON or text; the last one is curl's default. */
export const AGENT_TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
] as const

/** Returns field values from query parameters. The values apply to every record of the request. */
export function defaultsOf(query: URLSearchParams, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => ((query.get(name) ?? '') === '' ? [] : [[name, query.get(name)!]])))
}

/** Properties of routes that senders of data call besides the ingest route. */
export const forSenders = {
  role: 'write',
  isQuery: false,
  isAvailable: (context) => context.ingest !== undefined,
} satisfies Partial<Route>

type Given = Pick<Route, 'name' | 'path' | 'alsoAt' | 'summary' | 'answers' | 'errors' | 'shapeError' | 'bodyTypes'>

/** An ingest route for an agent's protocol. */
export interface AgentRoute extends Given {
  /** Name of the format in which the decoder reads the body. */
  readonly format: string
  /** Field values from the URL, which apply to every record. */
  readonly defaultFields?: (call: RouteCall<unknown>) => Readonly<Record<string, string>>
  readonly answer: (report: IngestReport, call: RouteCall<unknown>) => HttpAnswer | Promise<HttpAnswer>
}

/** Returns the record options of a request, including field values from its URL. */
export function optionsOf(
  { headers, query }: Pick<RouteCall<unknown>, 'headers' | 'query'>,
  defaultFields: Readonly<Record<string, string>> = {},
): RecordOptions | undefined {
  const options = recordOptionsOf(headers, query)
  return Object.keys(defaultFields).length === 0 ? options : { ...options, defaultFields }
}

export function agentRoute({ format, defaultFields, answer, ...route }: AgentRoute): AnyRoute {
  return defineRoute({
    bodyTypes: AGENT_TYPES,
    ...route,
    method: 'POST',
    ...forSenders,
    body: ingestBody,
    bodyEncodings: bodyPackings,
    isIngest: true,
    parameters: recordOptionParameters,
    handle: async (call) => {
      const { packed, context, identity } = call
      const options = optionsOf(call, defaultFields?.(call))
      const request = { backend: identity.backend, table: 'logs', format, options, body: present(packed) }
      const report = await present(context.ingest).ingest(request)
      return noticed(await answer(report, call), report)
    },
  })
}
