import { headerText } from '../../base/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { excerpt } from '../../wire/index.ts'
import type { AuthContext } from './auth-context.ts'
import { fault } from '../errors/http-fault.ts'
import type { KeyRecord, Role } from './keys.ts'
import { sessionCookie } from './sessions.ts'

/** The sender of a request and its rights. */
export interface Identity {
  /** See `publicId`. */
  readonly keyId: string
  readonly email: string | undefined
  readonly roles: ReadonlySet<Role>
  readonly backend: string | undefined
  readonly scope: DataScope | undefined
  /** The stored data scopes from which `scope` was compiled, if known. */
  readonly storedScopes: readonly unknown[] | undefined
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

/** Texts before and after the first colon of base64 credentials. */
function splitAtColon(credentials: string): readonly [string, string] {
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? ['', ''] : [text.slice(0, colon), text.slice(colon + 1)]
}

/** Authentication schemes of agents, with the position of the key in each. */
const SCHEMES: ReadonlyMap<string, (credentials: string) => readonly string[]> = new Map([
  ['bearer', (key) => [key]],
  // The user name is no part of the key; see `backendNamedBy`.
  ['basic', (credentials) => [splitAtColon(credentials)[1]]],
  // `id:key` in base64, or a key given to the agent in that form.
  ['apikey', (credentials) => [credentials, splitAtColon(credentials)[1]]],
  ['splunk', (key) => [key]],
])

/**
 * Candidate keys of a request: `Authorization: Bearer <key>`, the key alone, `Basic` with the key as password, `ApiKey`
 * or `Splunk`; without that header, `DD-API-KEY`.
 */
export function presentedKeys(headers: Headers): readonly string[] {
  const header = headers.get('authorization')?.trim() ?? ''
  const [, scheme = '', credentials = ''] = /^(\S+)(?:[ \t]+(.*))?$/.exec(header) ?? []
  const given = header === '' ? [headers.get('dd-api-key') ?? ''] : SCHEMES.get(scheme.toLowerCase())?.(credentials)
  return (given ?? [header]).map((key) => key.trim()).filter((key) => key !== '')
}

/** Name of a tenant of VictoriaLogs; clients send `0:0` unasked. */
function tenantOf(headers: Headers): string | undefined {
  const [account, project] = [headers.get('accountid'), headers.get('projectid')]
  return account === null && project === null ? undefined : `${account ?? '0'}:${project ?? '0'}`
}

/**
 * The backend that a request names, by the first of these that it has: `X-Backend-Id`, `X-Scope-OrgID`, `AccountID` and
 * `ProjectID` as `ACCOUNT:PROJECT`, the user name of `Basic`. The tenant `0:0` names only a backend of that id.
 */
function backendNamedBy(headers: Headers, backends: readonly string[]): string {
  const named = headers.get('x-backend-id') ?? headers.get('x-scope-orgid')
  if (named !== null) return headerText(named)
  const tenant = tenantOf(headers)
  if (tenant !== undefined && (tenant !== '0:0' || backends.includes(tenant))) return tenant
  const [, credentials] = /^basic[ \t]+(.*)$/i.exec(headers.get('authorization')?.trim() ?? '') ?? []
  return credentials === undefined ? '' : splitAtColon(credentials)[0]
}

function backendOf(headers: Headers, record: KeyRecord, backends: readonly string[]): string | undefined {
  const wanted = backends.length < 2 ? backends[0] : backendNamedBy(headers, backends)
  if (wanted === undefined) return undefined
  // One message for a missing, an unknown and a foreign backend, so that it does not reveal which ids exist.
  const mayUse = backends.includes(wanted) && (record.backends?.has(wanted) ?? true)
  if (!mayUse) throw fault('no-backend', { header: 'X-Backend-Id' })
  return wanted
}

/** The parts of a request that identify its sender. */
export type Sent = Pick<Request, 'headers' | 'method' | 'url'>

/** Header that pages of other origins cannot send with a cookie. */
const CONSOLE_HEADER = 'X-Sluice-Console'

/**
 * Token of the session cookie, of one that was set over TLS before others. Two cookies of the name are none: one was set
 * from elsewhere.
 */
export function sessionToken(headers: Headers): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim())
  const tokensOf = (isOverTls: boolean): readonly string[] => {
    const start = `${sessionCookie(headers, isOverTls)}=`
    return cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length))
  }
  const safe = tokensOf(true)
  const tokens = safe.length > 0 ? safe : tokensOf(false)
  return tokens.length === 1 ? tokens[0] : undefined
}

/** Refuses requests that a page of another origin started. */
export function refuseForeignOrigin({ headers, url }: Sent): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = origin !== null && URL.parse(origin)?.host !== new URL(url).host
  if (isForeign || site === 'cross-site' || site === 'same-site')
    throw fault('foreign-origin', { origin: excerpt(origin ?? site ?? '') })
}

/** The key of a console session. Throws 401 if it has ended, 403 if another page may have started the request. */
function keyOfSession(sent: Sent, { sessions }: AuthContext): KeyRecord | undefined {
  const token = sessionToken(sent.headers)
  if (token === undefined || sessions === undefined) return undefined
  const record = sessions.find(token)
  if (record === undefined) throw fault('session-ended', {}, CHALLENGE)
  refuseForeignOrigin(sent)
  const changesNothing = sent.method === 'GET' || sent.method === 'HEAD'
  if (!changesNothing && sent.headers.get(CONSOLE_HEADER) !== '1')
    throw fault('no-console-header', { header: CONSOLE_HEADER })
  return record
}

/** Finds the key of a request, or of its session if no key is given; 401 if it is unknown. */
export function knownKey(sent: Sent, context: AuthContext): KeyRecord {
  const given = presentedKeys(sent.headers)
  if (given.length === 0) {
    const ofSession = keyOfSession(sent, context)
    if (ofSession === undefined) throw fault('no-key', { header: 'Authorization' }, CHALLENGE)
    context.noteUse?.(ofSession)
    return ofSession
  }
  const record = given.map((key) => context.keys.find(key)).find((found) => found !== undefined)
  if (record === undefined) throw fault('unknown-key', { header: 'Authorization' }, CHALLENGE)
  context.noteUse?.(record)
  return record
}

/** Throws while stored data or keys cannot be read completely: only health checks are answered then. */
export function refuseUnreadable({ isDamaged, keys }: AuthContext): void {
  if (isDamaged?.() === true) throw fault('damaged', {})
  // Any lookup reports an unreadable key file.
  keys.find('')
}

/** Name in a Host header, without port and trailing dot. */
function nameOf(host: string): string {
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** Names that always resolve to this machine. */
const LOOPBACK_NAME =
  /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:127(?:\.\d{1,3}){3}\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * Refuses a request without a key that came to a loopback address under a foreign name: a web page can point its own
 * name here (DNS rebinding) and would read the answer. `own` is the name that the server listens by.
 */
export function refuseForeignName(
  headers: Headers,
  own: string | undefined,
  { allowHosts = [], keys, sessions }: AuthContext,
): void {
  const host = headers.get('host')
  if (own === undefined || host === null) return
  const name = nameOf(host)
  const allowed = [own, ...allowHosts].map(nameOf)
  if (LOOPBACK_NAME.test(name) || allowed.includes(name)) return
  if (presentedKeys(headers).some((key) => keys.find(key) !== undefined)) return
  const token = sessionToken(headers)
  if (token === undefined || sessions?.find(token) === undefined) throw fault('wrong-host', { host: excerpt(host) })
}

/** Throws for callers that may not read metrics and the API description. */
export function admitToSystem(sent: Sent, isLocal: () => boolean, context: AuthContext): void {
  const { openTo = 'loopback' } = context
  const { headers } = sent
  // A request through a local proxy may come from another machine.
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers.has(name))
  if (openTo === 'everyone' || (openTo === 'loopback' && !isProxied && isLocal())) return
  knownKey(sent, context)
}

/** Rights of a key in one backend. */
interface Rights extends Pick<Identity, 'roles' | 'scope' | 'storedScopes'> {}

/** If both the key and the policies name roles, both must name a role. `undefined`: no access to the backend. */
async function rightsIn(
  backend: string | undefined,
  record: KeyRecord,
  context: AuthContext,
): Promise<Rights | undefined> {
  const isNamed = backend !== undefined && record.backends?.has(backend) === true
  const access = await context.access?.accessOf(record.email, backend, isNamed)
  if (access === 'none') return undefined
  const allowed = access?.roles
  const roles = allowed === undefined ? record.roles : new Set([...record.roles].filter((role) => allowed.has(role)))
  return { roles, scope: access?.scope, storedScopes: access?.storedScopes }
}

/** First digits of a key's hash: enough for a log line, useless to an attacker. */
export function publicId({ hash }: KeyRecord): string {
  return hash.slice(0, 8)
}

/** The backends that a key has access to, with its rights in each. */
export async function rightsByBackend(record: KeyRecord, context: AuthContext): Promise<ReadonlyMap<string, Rights>> {
  const rights = new Map<string, Rights>()
  const ids =
    context.backends.length < 2 ? context.backends : context.backends.filter((id) => record.backends?.has(id) ?? true)
  for (const id of ids) {
    const own = await rightsIn(id, record, context)
    if (own !== undefined) rights.set(id, own)
  }
  return rights
}

/**
 * Authenticates a caller: 401 without a known key or session, 403 without access to the backend or the required role, or
 * if a page of another origin uses the session.
 */
export async function authenticate(sent: Sent, needed: Role, context: AuthContext): Promise<Identity> {
  const record = knownKey(sent, context)
  const backend = backendOf(sent.headers, record, context.backends)
  const rights = await rightsIn(backend, record, context)
  if (rights === undefined) throw fault('no-backend', { header: 'X-Backend-Id' })
  if (!rights.roles.has(needed)) throw fault('no-role', { role: needed })
  return { keyId: publicId(record), email: record.email, backend, ...rights }
}
