import { createHash } from 'node:crypto'
import { Buffer } from 'node:buffer'
import type { Clock } from '../settings/environment.ts'
import type { KeyRecord, KeySource } from './keys.ts'

export const SESSION_COOKIE = 'sluice_session'

/**
 * Name of the session cookie at the address of a request. A browser sends the cookies of a host to all its ports, so the
 * name has the port. Over TLS, the prefix makes browsers refuse the cookie from another host, and without TLS.
 */
export function sessionCookie(headers: Headers, isOverTls: boolean): string {
  const [, port] = /:(\d+)$/.exec(headers.get('host')?.trim() ?? '') ?? []
  return `${isOverTls ? '__Host-' : ''}${SESSION_COOKIE}${port === undefined ? '' : `_${port}`}`
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A session that is not used ends after a night. */
const IDLE_MS = 12 * HOUR_MS
/** The longest time of a session, used or not. */
export const SESSION_MS = 7 * 24 * HOUR_MS
/** Time in which a code signs in. */
const CODE_MS = 10 * MINUTE_MS
/** 256 bits: neither tokens nor codes can be guessed. */
const TOKEN_BYTES = 32
/** More than a user has browsers; then the session that was unused longest ends. */
const SESSIONS_PER_KEY = 16
/** Some MiB of memory. */
const MAX_SESSIONS = 10_000
const MAX_CODES = 16

/** The key of a session or code, with its rights at the time. */
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
 * Console sessions and single-use codes, in memory and by the hashes of their tokens. A session has exactly the rights of
 * its key, and ends when that key is removed or its rights in the key file change.
 */
export class Sessions {
  readonly #keys: KeySource
  readonly #clock: Clock
  readonly #randomBytes: (count: number) => Uint8Array
  /** Sessions by the hash of their token, in the order of their last use. */
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

  /** Starts a session of a key and returns its token; `undefined` if the source does not list its keys. */
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

  /** Key of a session; `undefined` if there is no such session, or it has ended. */
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

  /** A code that signs in once, within 10 minutes, as the first key that may read; `undefined` without such a key. */
  newCode(): string | undefined {
    const record = this.#keys.records().find(({ roles }) => roles.has('read'))
    if (record === undefined) return undefined
    const [oldest] = this.#codes.keys()
    if (oldest !== undefined && this.#codes.size >= MAX_CODES) this.#codes.delete(oldest)
    const code = this.#token()
    this.#codes.set(hashOf(code), { ...boundTo(record), endsMs: this.#clock.nowMs() + CODE_MS })
    return code
  }

  /** Key of a code, which is used up; `undefined` if it is unknown, used or too old. */
  useCode(code: string): KeyRecord | undefined {
    const hash = hashOf(code)
    const found = this.#codes.get(hash)
    this.#codes.delete(hash)
    return found === undefined || this.#clock.nowMs() >= found.endsMs ? undefined : this.#current(found)
  }

  /** The key as it is now, if it has the same rights. Throws `no-key-store`. */
  #current({ keyHash, rights }: Bound): KeyRecord | undefined {
    const record = this.#keys.records().find(({ hash }) => hash === keyHash)
    return record !== undefined && boundTo(record).rights === rights ? record : undefined
  }

  #token(): string {
    return Buffer.from(this.#randomBytes(TOKEN_BYTES)).toString('base64url')
  }
}
