import { headerText } from '../../base/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { excerpt } from '../../wire/index.ts'
import type { AuthContext } from './auth-context.ts'
import { fault } from '../errors/http-fault.ts'
import type { KeyRecord, Role } from './keys.ts'

/** Who sent a request, and what they may see and do. */
export interface Identity {
  /** The first digits of the key's hash: enough for a log line, useless to anyone else. */
  readonly keyId: string
  readonly email: string | undefined
  readonly roles: ReadonlySet<Role>
  readonly backend: string | undefined
  readonly scope: DataScope | undefined
  /** The stored scopes that `scope` was made of, where they are known. */
  readonly storedScopes: readonly unknown[] | undefined
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

/** What stands behind the first colon of credentials in base64; nothing where there is none. */
function behindColon(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  const colon = text.indexOf(':')
  return colon === -1 ? '' : text.slice(colon + 1)
}

/** The schemes in which agents send a key, and where each has it. */
const SCHEMES: ReadonlyMap<string, (credentials: string) => readonly string[]> = new Map([
  ['bearer', (key) => [key]],
  // The user's name says nothing.
  ['basic', (credentials) => [behindColon(credentials)]],
  // `id:key` in base64, or a key that was given to the agent as such a text.
  ['apikey', (credentials) => [credentials, behindColon(credentials)]],
  ['splunk', (key) => [key]],
])

/**
 * What may be the key of a request: `Authorization: Bearer <key>`, the key alone, `Basic` with the key as password, `ApiKey`
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
  // One text for a missing, an unknown and a foreign backend: nobody learns which ids exist.
  const mayUse = backends.includes(wanted) && (record.backends?.has(wanted) ?? true)
  if (!mayUse) throw fault('no-backend', { header: 'X-Backend-Id' })
  return wanted
}

/** What is kept of the key of a request, or a fault: 401 without a known key. */
function knownKey(headers: Headers, { keys }: AuthContext): KeyRecord {
  const given = presentedKeys(headers)
  if (given.length === 0) throw fault('no-key', { header: 'Authorization' }, CHALLENGE)
  const record = given.map((key) => keys.find(key)).find((found) => found !== undefined)
  if (record === undefined) throw fault('unknown-key', { header: 'Authorization' }, CHALLENGE)
  return record
}

/** A fault while what is stored, or the keys, cannot be read whole: then nothing is served but health. */
export function refuseUnreadable({ isDamaged, keys }: AuthContext): void {
  if (isDamaged?.() === true) throw fault('damaged', {})
  // A key file that cannot be read says so at any look into it.
  keys.find('')
}

/** The name in a Host header, without its port and the dot of the root. */
function nameOf(host: string): string {
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** Names that lead to this machine whoever looks them up. */
const LOOPBACK_NAME =
  /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:127(?:\.\d{1,3}){3}\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * A fault for a request without a key that came to a loopback address by a name which is not this machine's: a page of the web
 * can have its own name lead here (DNS rebinding), and would read the answer. `own` is the name that the server listens by there.
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

/** A fault for who may not read what the server says of itself: metrics, the description of its API. */
export function admitToSystem(headers: Headers, isLocal: () => boolean, context: AuthContext): void {
  const { openTo = 'loopback' } = context
  // Who comes through a proxy on this machine is not on this machine.
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers.has(name))
  if (openTo === 'everyone' || (openTo === 'loopback' && !isProxied && isLocal())) return
  knownKey(headers, context)
}

/**
 * Who calls, or a fault: 401 without a known key, 403 without access to the backend or without the role that is needed.
 * When both the key and the caller's policies name roles, only what both name counts.
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
