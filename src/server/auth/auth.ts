import { headerText } from '../../base/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { excerpt } from '../../wire/index.ts'
import type { AuthContext } from './auth-context.ts'
import { fault } from '../errors/http-fault.ts'
import type { KeyRecord, Role } from './keys.ts'
import { sessionCookie } from './sessions.ts'

/** Sender of a request, with its permissions. */
export interface Identity {
  /** Public id of the sender's key: the first digits of its hash. */
  readonly keyId: string
  readonly email: string | undefined
  readonly roles: ReadonlySet<Role>
  readonly backend: string | undefined
  readonly scope: DataScope | undefined
  /** Stored data scopes from which `scope` was compiled; `undefined` if they are not known. */
  readonly storedScopes: readonly unknown[] | undefined
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

/** Decodes base64 credentials and splits them at the first colon. */
function splitAtColon(credentials: string): readonly [string, string] {
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? ['', ''] : [text.slice(0, colon), text.slice(colon + 1)]
}

/** Authentication schemes of agents, each with a function that extracts candidate keys. */
const SCHEMES: ReadonlyMap<string, (credentials: string) => readonly string[]> = new Map([
  ['bearer', (key) => [key]],
  // The user name is not part of the key; it can name a backend.
  ['basic', (credentials) => [splitAtColon(credentials)[1]]],
  // `id:key` in base64, or a Sluice key in place of this base64 text.
  ['apikey', (credentials) => [credentials, splitAtColon(credentials)[1]]],
  ['splunk', (key) => [key]],
])

/**
 * Returns the candidate keys of a request, from `Authorization`: `Bearer <key>`, the key alone, `Basic` with the key as
 * password, `ApiKey` or `Splunk`. Without this header, from `DD-API-KEY`.
 */
export function presentedKeys(headers: Headers): readonly string[] {
  const header = headers.get('authorization')?.trim() ?? ''
  const [, scheme = '', credentials = ''] = /^(\S+)(?:[ \t]+(.*))?$/.exec(header) ?? []
  const given = header === '' ? [headers.get('dd-api-key') ?? ''] : SCHEMES.get(scheme.toLowerCase())?.(credentials)
  return (given ?? [header]).map((key) => key.trim()).filter((key) => key !== '')
}

/** Returns the tenant in VictoriaLogs headers. Clients send `0:0` by default. */
function tenantOf(headers: Headers): string | undefined {
  const [account, project] = [headers.get('accountid'), headers.get('projectid')]
  return account === null && project === null ? undefined : `${account ?? '0'}:${project ?? '0'}`
}

/**
 * Returns the backend that a request names. The first of these counts: `X-Backend-Id`, `X-Scope-OrgID`, `AccountID` and
 * `ProjectID` as `ACCOUNT:PROJECT`, or the user name of `Basic`. The tenant `0:0` counts only if a backend has this id.
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
  // The message is the same for a missing, an unknown and a forbidden backend, so that it does not reveal ids.
  const mayUse = backends.includes(wanted) && (record.backends?.has(wanted) ?? true)
  if (!mayUse) throw fault('no-backend', { header: 'X-Backend-Id' })
  return wanted
}

/** Parts of a request that identify its sender. */
export type Sent = Pick<Request, 'headers' | 'method' | 'url'>

/** Request header against cross-site request forgery: pages of other origins cannot send it together with a cookie. */
const CONSOLE_HEADER = 'X-Sluice-Console'

/**
 * Returns the token of the session cookie. The cookie set over TLS takes precedence. Two cookies with the same name are
 * ignored, since another site set one of them.
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

/** Rejects requests that were started by a page of another origin. */
export function refuseForeignOrigin({ headers, url }: Sent): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = origin !== null && URL.parse(origin)?.host !== new URL(url).host
  if (isForeign || site === 'cross-site' || site === 'same-site')
    throw fault('foreign-origin', { origin: excerpt(origin ?? site ?? '') })
}

/**
 * Returns the key of a console session. Throws 401 if the session has ended, 403 if another site's page may have
 * started the request.
 */
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

/** Finds the key of a request or, if the request has none, of its session. Throws 401 if the key is unknown. */
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

/** Throws while stored data or keys cannot be read completely; during this time only health checks are answered. */
export function refuseUnreadable({ isDamaged, keys }: AuthContext): void {
  if (isDamaged?.() === true) throw fault('damaged', {})
  // Called only for its effect: a lookup throws if the key file cannot be read.
  keys.find('')
}

/** Returns the host name in a Host header, without port and trailing dot. */
function nameOf(host: string): string {
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** Matches names that always resolve to this machine. */
const LOOPBACK_NAME =
  /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:127(?:\.\d{1,3}){3}\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * Rejects a request without a key that came to a loopback address under another host name: a web page can let its own
 * name resolve to this machine (DNS rebinding) and would read the answer. `own` is the name that the server listens on.
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

/** Throws for clients that may not read metrics and the API description. */
export function admitToSystem(sent: Sent, isLocal: () => boolean, context: AuthContext): void {
  const { openTo = 'loopback' } = context
  const { headers } = sent
  // A request through a proxy on this machine may come from another one.
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers.has(name))
  if (openTo === 'everyone' || (openTo === 'loopback' && !isProxied && isLocal())) return
  knownKey(sent, context)
}

/** Permissions of a key on one backend. */
interface Rights extends Pick<Identity, 'roles' | 'scope' | 'storedScopes'> {}

/**
 * Returns the permissions of a key on a backend; `undefined` if the key has no access. If both the key and the policies
 * restrict roles, a role must be allowed by both.
 */
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

/** Returns the public id of a key: the first digits of its hash, enough for logs and useless to an attacker. */
export function publicId({ hash }: KeyRecord): string {
  return hash.slice(0, 8)
}

/** Returns the backends that a key has access to, with its permissions on each. */
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
 * Authenticates and authorizes a request. Throws 401 without a known key or session, 403 without access to the backend
 * or the required role, or if a page of another origin uses the session.
 */
export async function authenticate(sent: Sent, needed: Role, context: AuthContext): Promise<Identity> {
  const record = knownKey(sent, context)
  const backend = backendOf(sent.headers, record, context.backends)
  const rights = await rightsIn(backend, record, context)
  if (rights === undefined) throw fault('no-backend', { header: 'X-Backend-Id' })
  if (!rights.roles.has(needed)) throw fault('no-role', { role: needed })
  return { keyId: publicId(record), email: record.email, backend, ...rights }
}
