import { decodeBody, sessionAnswer, sessionBody } from '../../wire/index.ts'
import {
  knownKey,
  presentedKeys,
  publicId,
  refuseForeignName,
  refuseForeignOrigin,
  refuseUnreadable,
  rightsByBackend,
  sessionToken,
} from '../auth/auth.ts'
import type { KeyRecord } from '../auth/keys.ts'
import { SESSION_MS, sessionCookie, type Sessions } from '../auth/sessions.ts'
import { fault } from '../errors/http-fault.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { checkBodyHeaders, readBody } from '../http/body.ts'
import { json } from '../http/respond.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import type { Exchange } from './exchange.ts'
import type { SystemRoute } from './system-routes.ts'

/** Maximum size of a sign-in body, bytes; it contains only a code. */
const BODY_BYTES = 4096

const NOT_STORED = { 'Cache-Control': 'no-store' }

function featuresOf(context: ServerContext): readonly string[] {
  const { domains = new Set(), metrics, ingest, alerting, monitors, deletions } = context
  const has = { metrics, ingest, alerting, monitors, deletions }
  const on = Object.entries(has).flatMap(([name, service]) => (service === undefined ? [] : [name]))
  return [...domains, ...on]
}

async function describe(
  { headers }: Request,
  record: KeyRecord,
  signedIn: 'session' | 'key',
  context: ServerContext,
  version: string,
): Promise<object> {
  const rights = await rightsByBackend(record, context)
  const named = headers.get('x-backend-id')?.trim() ?? ''
  const backend = named === '' || context.backends.length < 2 ? rights.keys().next().value : named
  const own = backend === undefined ? undefined : rights.get(backend)
  if (own === undefined && backend !== undefined) throw fault('no-backend', { header: 'X-Backend-Id' })
  return {
    key: publicId(record),
    user: record.email,
    signedIn,
    backends: [...rights.keys()],
    roles: [...(own?.roles ?? [])],
    isScoped: own?.scope !== undefined,
    version,
    features: featuresOf(context),
  }
}

/** True if the browser used TLS, to this server or to a proxy before it. */
function isOverTls({ url, headers }: Request): boolean {
  const [proto = ''] = (headers.get('x-forwarded-proto') ?? '').split(',')
  return url.startsWith('https:') || proto.trim() === 'https' || headers.get('origin')?.startsWith('https:') === true
}

function cookie(token: string, maxAgeSeconds: number, request: Request): Readonly<Record<string, string>> {
  const isSecure = isOverTls(request)
  const name = sessionCookie(request.headers, isSecure)
  const secure = isSecure ? '; Secure' : ''
  return {
    ...NOT_STORED,
    'Set-Cookie': `${name}=${token}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure}`,
  }
}

/** Returns the key for signing in: from a header, or else from a single-use code in the body. */
async function signingIn(
  { request, transport }: Exchange,
  context: ServerContext,
  sessions: Sessions,
): Promise<KeyRecord> {
  if (presentedKeys(request.headers).length > 0) return knownKey(request, context)
  if (request.body === null) throw fault('no-key', { header: 'Authorization' }, { 'WWW-Authenticate': 'Bearer' })
  checkBodyHeaders(request.headers, BODY_BYTES)
  transport?.goOn?.()
  const { code } = decodeBody(sessionBody, await readBody(request, BODY_BYTES))
  const record = sessions.useCode(code)
  if (record === undefined) throw fault('used-code', {}, { 'WWW-Authenticate': 'Bearer' })
  return record
}

/** Routes with which a browser signs in, requests its session, and signs out. */
export function sessionRoutes(context: ServerContext, version: string): readonly SystemRoute[] {
  const { sessions } = context
  if (sessions === undefined) return []
  const checked =
    (handle: (exchange: Exchange) => Promise<HttpAnswer>) =>
    async (exchange: Exchange): Promise<HttpAnswer> => {
      refuseUnreadable(context)
      refuseForeignName(exchange.request.headers, exchange.transport?.loopbackName?.(), context)
      return handle(exchange)
    }
  const common = { path: '/api/session', isRefusedUnready: false, access: 'key' } as const
  return [
    {
      ...common,
      name: 'whoAmI',
      method: 'GET',
      summary: 'Say who is signed in',
      answers: [{ status: 200, description: 'The key of the request, or of its session.', schema: sessionAnswer }],
      handle: checked(async (exchange) => {
        const { request } = exchange
        const record = knownKey(request, context)
        exchange.keyId = publicId(record)
        const how = presentedKeys(request.headers).length > 0 ? 'key' : 'session'
        return json(await describe(request, record, how, context, version), 200, NOT_STORED)
      }),
    },
    {
      ...common,
      name: 'signIn',
      method: 'POST',
      summary: 'Start a console session',
      body: sessionBody,
      answers: [
        {
          status: 200,
          description: 'The session is in the cookie `sluice_session`, with the port in its name.',
          schema: sessionAnswer,
        },
      ],
      handle: checked(async (exchange) => {
        const { request } = exchange
        refuseForeignOrigin(request)
        const record = await signingIn(exchange, context, sessions)
        exchange.keyId = publicId(record)
        const answer = await describe(request, record, 'session', context, version)
        const before = sessionToken(request.headers)
        if (before !== undefined) sessions.end(before)
        const token = sessions.start(record)
        if (token === undefined) throw fault('no-sessions', {})
        return json(answer, 200, cookie(token, SESSION_MS / 1000, request))
      }),
    },
    {
      ...common,
      name: 'signOut',
      method: 'DELETE',
      summary: 'End the console session',
      answers: [{ status: 204, description: 'The session has ended.' }],
      handle: checked(async (exchange) => {
        const { request } = exchange
        exchange.keyId = publicId(knownKey(request, context))
        const token = sessionToken(request.headers)
        if (token !== undefined) sessions.end(token)
        return { status: 204, headers: cookie('', 0, request), body: null }
      }),
    },
  ]
}
