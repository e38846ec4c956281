import { checkArgument } from '../../base/index.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hiddenCharacter, userNameOf } from '../../wire/index.ts'

/** The roles that a key can have. */
export const roles = ['read', 'write', 'admin'] as const
/** A permission of a key: `read`, `write` or `admin`. */
export type Role = (typeof roles)[number]

export function isRole(word: string): word is Role {
  return (roles as readonly string[]).includes(word)
}

/** Stored data of a key. The key itself is never stored. */
export interface KeyRecord {
  /** HMAC-SHA256 of the key under the ring's salt, 64 hex digits. */
  readonly hash: string
  readonly email: string | undefined
  readonly roles: ReadonlySet<Role>
  /** Ids of the backends that the key may use; `undefined` for all. */
  readonly backends: ReadonlySet<string> | undefined
}

/** A plain-text key and its permissions. */
export interface ServerKey {
  readonly key: string
  /** User whose policies apply to the key. */
  readonly email?: string
  /** Roles of the key. Default: all roles. */
  readonly roles?: readonly Role[]
  /** Ids of the backends that the key may use. Default: all. */
  readonly backends?: readonly string[]
}

/** Returns the reason why a text is not a valid user name; `undefined` if it is. */
export function userFault(email: string): string | undefined {
  const hidden = hiddenCharacter(email)
  if (hidden !== undefined) return `its character ${hidden.position} is ${hidden.code}, which nobody sees`
  return userNameOf(email) === '' ? 'it is blank' : undefined
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_PREFIX = 'sluice_'
const KEY_LENGTH = 32

/** Generates a key with about 190 bits of entropy. It is shown once and never stored. */
export function makeKey(randomBytes: (count: number) => Uint8Array): string {
  checkArgument(typeof randomBytes === 'function', randomBytes, 'a source of random bytes', 'makeKey(randomBytes)')
  let key = KEY_PREFIX
  while (key.length < KEY_PREFIX.length + KEY_LENGTH) {
    for (const byte of randomBytes(KEY_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte; larger values would make some characters more likely.
      if (byte < 248 && key.length < KEY_PREFIX.length + KEY_LENGTH) key += ALPHABET[byte % 62]
    }
  }
  return key
}

/** Keys with fewer characters have less than 128 bits of entropy, even if they are random base64. */
const SHORT_KEY_CHARACTERS = 22

/** Returns warnings about guessable keys. */
export function shortKeyWarnings(keys: readonly (string | ServerKey)[]): readonly string[] {
  const short = keys.filter(
    (given) => (typeof given === 'string' ? given : given.key).trim().length < SHORT_KEY_CHARACTERS,
  )
  if (short.length === 0) return []
  const what = short.length === 1 ? 'A key has' : `${short.length} keys have`
  return [
    `${what} fewer than ${SHORT_KEY_CHARACTERS} characters and could be guessed; \`sluice keys add\` makes one that cannot.`,
  ]
}

function digest(salt: string, key: string): Buffer {
  return createHmac('sha256', salt).update(key, 'utf8').digest()
}

/** Returns the hash of a key under the file's salt. */
export function hashKey(salt: string, key: string): string {
  checkArgument(typeof salt === 'string', salt, 'a salt', 'hashKey(salt, key)')
  checkArgument(typeof key === 'string', key, 'a key as its second argument', 'hashKey(salt, key)')
  return digest(salt, key).toString('hex')
}

/** Source of keys, in which presented keys are looked up. */
export interface KeySource {
  readonly size: number
  find(key: string): KeyRecord | undefined
  /**
   * Returns all keys. A console session ends when its key is no longer listed. A source that returns no keys supports
   * no sessions.
   */
  records(): readonly KeyRecord[]
}

/** Keys that a server accepts. */
export class KeyRing implements KeySource {
  readonly #salt: string
  readonly #entries: readonly { readonly digest: Buffer; readonly record: KeyRecord }[]

  constructor(salt: string, records: readonly KeyRecord[]) {
    this.#salt = salt
    this.#entries = records.map((record) => ({ digest: Buffer.from(record.hash, 'hex'), record }))
  }

  /** A ring with one key that has all roles. */
  static of(key: string, salt: string, email?: string): KeyRing {
    const record: KeyRecord = { hash: hashKey(salt, key), email, roles: new Set(roles), backends: undefined }
    return new KeyRing(salt, [record])
  }

  get size(): number {
    return this.#entries.length
  }

  records(): readonly KeyRecord[] {
    return this.#entries.map(({ record }) => record)
  }

  /** Finds a key. It compares with every entry in constant time, so timing reveals nothing. */
  find(key: string): KeyRecord | undefined {
    const presented = digest(this.#salt, key)
    let found: KeyRecord | undefined
    for (const entry of this.#entries) {
      if (timingSafeEqual(presented, entry.digest)) found = entry.record
    }
    return found
  }
}
