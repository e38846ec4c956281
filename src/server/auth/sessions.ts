import { MINUTE_MS, HOUR_MS } from '../../base/index.ts'
import { createHash } from 'node:crypto'
import { Buffer } from 'node:buffer'
import type { Clock } from '../settings/environment.ts'
import type { KeyRecord, KeySource } from './keys.ts'

export const SESSION_COOKIE = 'sluice_session'

/**
 * Returns the name of the session cookie for a request's address. It contains the port, because browsers send cookies
 * of a host to all its ports. Over TLS, a prefix makes browsers reject such a cookie if another host or a connection
 * without TLS sets it.
 */
export function sessionCookie(headers: Headers, isOverTls: boolean): string {
  const [, port] = /:(\d+)$/.exec(headers.get('host')?.trim() ?? '') ?? []
  return `${isOverTls ? '__Host-' : ''}${SESSION_COOKIE}${port === undefined ? '' : `_${port}`}`
}

/** Time after which an unused session ends, ms; longer than a night. */
const IDLE_MS = 12 * HOUR_MS
/** Maximum duration of a session, used or not, ms. */
export const SESSION_MS = 7 * 24 * HOUR_MS
/** Time for which a sign-in code is valid, ms. */
const CODE_MS = 10 * MINUTE_MS
/** Length of tokens and codes, bytes: 256 bits cannot be guessed. */
const TOKEN_BYTES = 32
/**
 * Maximum number of sessions of a key, more than a user has browsers. A further session ends the least recently used
 * one.
 */
const SESSIONS_PER_KEY = 16
/** Maximum number of all sessions; they take some MiB of memory. */
const MAX_SESSIONS = 10_000
const MAX_CODES = 16

/** The key of a session or code, with the permissions that the key had when the session or code was created. */
interface Bound {
  readonly keyHash: string
  readonly rights: string
}

interface Session extends Bound {
  readonly endsMs: number
  usedMs: number
}

interface Code extends Bound {
  readonly endsMs: number
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function boundTo({ hash, email, roles, backends }: KeyRecord): Bound {
  const ids = backends === undefined ? null : [...backends].sort()
  return { keyHash: hash, rights: JSON.stringify([email ?? null, [...roles].sort(), ids]) }
}

/**
 * Console sessions and single-use codes, in memory, by the hash of their token or code. A session has exactly the
 * permissions of its key. A session ends when its key is removed or when the key's permissions in the key file change.
 */
export class Sessions {
  readonly #keys: KeySource
  readonly #clock: Clock
  readonly #randomBytes: (count: number) => Uint8Array
  /** Sessions by the hash of their token, least recently used first. */
  readonly #sessions = new Map<string, Session>()
  readonly #codes = new Map<string, Code>()

  constructor(keys: KeySource, clock: Clock, randomBytes: (count: number) => Uint8Array) {
    this.#keys = keys
    this.#clock = clock
    this.#randomBytes = randomBytes
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Starts a session for a key and returns its token; `undefined` if the key source does not list the key. */
  start(record: KeyRecord): string | undefined {
    const bound = boundTo(record)
    if (this.#current(bound) === undefined) return undefined
    const own = [...this.#sessions].filter(([, { keyHash }]) => keyHash === bound.keyHash)
    const [oldest] = this.#sessions.keys()
    const [unused] = own.length < SESSIONS_PER_KEY ? [oldest] : (own[0] ?? [])
    if (unused !== undefined && (own.length >= SESSIONS_PER_KEY || this.#sessions.size >= MAX_SESSIONS))
      this.#sessions.delete(unused)
    const token = this.#token()
    const nowMs = this.#clock.nowMs()
    this.#sessions.set(hashOf(token), { ...bound, endsMs: nowMs + SESSION_MS, usedMs: nowMs })
    return token
  }

  /** Returns the key of a session; `undefined` if the session does not exist or has ended. */
  find(token: string): KeyRecord | undefined {
    const hash = hashOf(token)
    const session = this.#sessions.get(hash)
    if (session === undefined) return undefined
    const nowMs = this.#clock.nowMs()
    const isOver = nowMs >= session.endsMs || nowMs >= session.usedMs + IDLE_MS
    const record = isOver ? undefined : this.#current(session)
    this.#sessions.delete(hash)
    if (record === undefined) return undefined
    session.usedMs = nowMs
    this.#sessions.set(hash, session)
    return record
  }

  end(token: string): void {
    this.#sessions.delete(hashOf(token))
  }

  /**
   * Creates a code that signs in once, within 10 minutes, with the first key that has the role `read`; `undefined` if
   * there is no such key.
   */
  newCode(): string | undefined {
    const record = this.#keys.records().find(({ roles }) => roles.has('read'))
    if (record === undefined) return undefined
    const [oldest] = this.#codes.keys()
    if (oldest !== undefined && this.#codes.size >= MAX_CODES) this.#codes.delete(oldest)
    const code = this.#token()
    this.#codes.set(hashOf(code), { ...boundTo(record), endsMs: this.#clock.nowMs() + CODE_MS })
    return code
  }

  /** Redeems a code and returns its key; `undefined` if the code is unknown, used or expired. */
  useCode(code: string): KeyRecord | undefined {
    const hash = hashOf(code)
    const found = this.#codes.get(hash)
    this.#codes.delete(hash)
    return found === undefined || this.#clock.nowMs() >= found.endsMs ? undefined : this.#current(found)
  }

  /**
   * Returns the current record of the key if its permissions are unchanged, else `undefined`. Throws `no-key-store`.
   */
  #current({ keyHash, rights }: Bound): KeyRecord | undefined {
    const record = this.#keys.records().find(({ hash }) => hash === keyHash)
    return record !== undefined && boundTo(record).rights === rights ? record : undefined
  }

  #token(): string {
    return Buffer.from(this.#randomBytes(TOKEN_BYTES)).toString('base64url')
  }
}
