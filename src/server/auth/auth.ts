import { headerText } from '../../base/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { excerpt } from '../../wire/index.ts'
import type { AuthContext } from './auth-context.ts'
import { fault } from '../errors/http-fault.ts'
import type { KeyRecord, Role } from './keys.ts'

/** The sender of a request and its rights. */
export interface Identity {
  /** First digits of the key's hash: enough for a log line, useless to an attacker. */
  readonly keyId: string
  readonly email: string | undefined
  readonly roles: ReadonlySet<Role>
  readonly backend: string | undefined
  readonly scope: DataScope | undefined
  /** The stored data scopes from which `scope` was compiled, if known. */
  readonly storedScopes: readonly unknown[] | undefined
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

/** Text after the first colon of base64 credentials, if any. */
function behindColon(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1)
}

/** Authentication schemes of agents, with the position of the key in each. */
const SCHEMES: ReadonlyMap<string, (credentials: string) => readonly string[]> = new Map([
  ['bearer', (key) => [key]],
  // The user name is ignored.
  ['basic', (credentials) => [behindColon(credentials)]],
  // `id:key` in base64, or a key given to the agent in that form.
  ['apikey', (credentials) => [credentials, behindColon(credentials)]],
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

function backendOf(headers: Headers, record: KeyRecord, backends: readonly string[]): string | undefined {
  const wanted = backends.length < 2 ? backends[0] : headerText(headers.get('x-backend-id') ?? '')
  if (wanted === undefined) return undefined
  // One message for a missing, an unknown and a foreign backend, so that it does not reveal which ids exist.
  const mayUse = backends.includes(wanted) && (record.backends?.has(wanted) ?? true)
  if (!mayUse) throw fault('no-backend', { header: 'X-Backend-Id' })
  return wanted
}

/** Finds the key of a request; 401 if it is unknown. */
function knownKey(headers: Headers, { keys }: AuthContext): KeyRecord {
  const given = presentedKeys(headers)
  if (given.length === 0) throw fault('no-key', { header: 'Authorization' }, CHALLENGE)
  const record = given.map((key) => keys.find(key)).find((found) => found !== undefined)
  if (record === undefined) throw fault('unknown-key', { header: 'Authorization' }, CHALLENGE)
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
  { allowHosts = [], keys }: AuthContext,
): void {
  const host = headers.get('host')
  if (own === undefined || host === null) return
  const name = nameOf(host)
  const allowed = [own, ...allowHosts].map(nameOf)
  if (LOOPBACK_NAME.test(name) || allowed.includes(name)) return
  if (!presentedKeys(headers).some((key) => keys.find(key) !== undefined))
    throw fault('wrong-host', { host: excerpt(host) })
}

/** Throws for callers that may not read metrics and the API description. */
export function admitToSystem(headers: Headers, isLocal: () => boolean, context: AuthContext): void {
  const { openTo = 'loopback' } = context
  // A request through a local proxy may come from another machine.
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers.has(name))
  if (openTo === 'everyone' || (openTo === 'loopback' && !isProxied && isLocal())) return
  knownKey(headers, context)
}

/**
 * Authenticates a caller: 401 without a known key, 403 without access to the backend or the required role. If both the
 * key and the policies name roles, both must name the role.
 */
export async function authenticate(headers: Headers, needed: Role, context: AuthContext): Promise<Identity> {
  const record = knownKey(headers, context)
  const backend = backendOf(headers, record, context.backends)
  const isNamed = backend !== undefined && record.backends?.has(backend) === true
  const access = await context.access?.accessOf(record.email, backend, isNamed)
  if (access === 'none') throw fault('no-backend', { header: 'X-Backend-Id' })
  const allowed = access?.roles
  const roles = allowed === undefined ? record.roles : new Set([...record.roles].filter((role) => allowed.has(role)))
  if (!roles.has(needed)) throw fault('no-role', { role: needed })
  const { scope, storedScopes } = access ?? {}
  return { keyId: record.hash.slice(0, 8), email: record.email, roles, backend, scope, storedScopes }
}
