import { z } from 'zod'
import { excerpt } from '../../wire/index.ts'
import {
  knownKey,
  presentedKeys,
  publicId,
  refuseForeignName,
  refuseForeignOrigin,
  refuseUnreadable,
} from '../auth/auth.ts'
import { fault } from '../errors/http-fault.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { checkBodyHeaders, readBody } from '../http/body.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import type { AgentCaller, AgentEndpoint } from '../settings/agents.ts'
import type { Exchange } from './exchange.ts'
import type { SystemRoute } from './system-routes.ts'

/** Headers that identify the sender of a request, or choose its backend. */
const SENDER = ['authorization', 'dd-api-key', 'x-backend-id', 'x-scope-orgid', 'accountid', 'projectid'] as const

/** Base URL of requests that an agent's tool call makes in this process; only path and query matter. */
const HERE = 'http://localhost'

function senderOf(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(SENDER.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])))
}

/**
 * Rejects requests that a web page may have caused: foreign host names and origins. This applies even with a key,
 * because an agent's configuration may be accessible to web pages.
 */
function refuseForeign({ request, transport }: Exchange, context: ServerContext): void {
  const { headers } = request
  const host = headers.get('host') ?? ''
  try {
    refuseForeignName(new Headers({ host }), transport?.loopbackName?.(), context)
  } catch {
    throw fault('foreign-name', { host: excerpt(host) })
  }
  const origin = headers.get('origin')
  if (origin !== null && context.cors?.includes(origin) === true) return
  try {
    refuseForeignOrigin(request)
  } catch {
    throw fault('foreign-page', { origin: excerpt(origin ?? '') })
  }
}

/** Converts the answer of the protocol library. A stream of the answer ends with the call to which it belongs. */
async function answerOf(response: Response): Promise<HttpAnswer> {
  const type = response.headers.get('content-type')
  const allow = response.headers.get('allow')
  const headers = { ...(type !== null && { 'Content-Type': type }), ...(allow !== null && { Allow: allow }) }
  return { status: response.status, headers, body: response.body === null ? null : await response.text() }
}

/**
 * Returns the route of the MCP endpoint; none if the server has no endpoint. `fetch` answers requests of the HTTP API.
 */
export function agentRoutes(
  context: ServerContext,
  fetch: (request: Request) => Promise<Response>,
): readonly SystemRoute[] {
  const { mcp: load } = context
  if (load === undefined) return []
  let loading: Promise<AgentEndpoint> | undefined
  /** Loads the endpoint once. After a failure, the next request tries again. */
  const endpoint = (): Promise<AgentEndpoint> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  const handle = async (exchange: Exchange): Promise<HttpAnswer> => {
    const { request, transport } = exchange
    refuseUnreadable(context)
    refuseForeign(exchange, context)
    // Console sessions are not accepted here; they are for the pages of the console.
    if (presentedKeys(request.headers).length === 0)
      throw fault('no-key', { header: 'Authorization' }, { 'WWW-Authenticate': 'Bearer' })
    const record = knownKey(request, context)
    exchange.keyId = publicId(record)
    checkBodyHeaders(request.headers, context.limits.bodyBytes)
    transport?.goOn?.()
    const body = request.body === null ? undefined : await readBody(request, context.limits.bodyBytes)
    const sender = senderOf(request.headers)
    const caller: AgentCaller = {
      user: record.email,
      nowNs: context.nowNs,
      ask: (path, { headers, ...init }) =>
        fetch(new Request(HERE + path, { ...init, headers: { ...headers, ...sender } })),
    }
    const { method, url, headers, signal } = request
    const whole = body === undefined ? {} : { body: new Uint8Array(body) }
    const answer = await (await endpoint()).answer(new Request(url, { method, headers, signal, ...whole }), caller)
    return answerOf(answer)
  }
  const methods = [
    { method: 'POST', name: 'agentCall', summary: 'Answer an agent, by the Model Context Protocol' },
    { method: 'GET', name: 'agentStream', summary: 'Refuse a stream of notifications: there are none' },
    { method: 'DELETE', name: 'agentEnd', summary: 'Refuse the end of a session: there are none' },
  ] as const
  const answers = [{ status: 200, description: 'A message of JSON-RPC, also as an event.', schema: z.unknown() }]
  return methods.map((each) => ({ ...each, path: '/mcp', answers, isRefusedUnready: false, access: 'key', handle }))
}
