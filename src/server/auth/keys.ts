import { checkArgument } from '../../base/index.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hiddenCharacter, userNameOf } from '../../wire/index.ts'

export const roles = ['read', 'write', 'admin'] as const
export type Role = (typeof roles)[number]

export function isRole(word: string): word is Role {
  return (roles as readonly string[]).includes(word)
}

/** What is kept of a key: never the key itself. */
export interface KeyRecord {
  /** HMAC-SHA256 of the key under the ring's salt, as 64 hexadecimal digits. */
  readonly hash: string
  readonly email: string | undefined
  readonly roles: ReadonlySet<Role>
  /** Ids of the backends it may use; `undefined` is all of them. */
  readonly backends: ReadonlySet<string> | undefined
}

/** A key as text, and what it may do. */
export interface ServerKey {
  readonly key: string
  /** Whose it is: policies speak of users. */
  readonly email?: string
  /** All three unless given. */
  readonly roles?: readonly Role[]
  /** Ids of the backends that it may use; all unless given. */
  readonly backends?: readonly string[]
}

/** Why a text is no name of a user; `undefined` for one that is. */
export function userFault(email: string): string | undefined {
  const hidden = hiddenCharacter(email)
  if (hidden !== undefined) return `its character ${hidden.position} is ${hidden.code}, which nobody sees`
  return userNameOf(email) === '' ? 'it is blank' : undefined
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_PREFIX = 'sluice_'
const KEY_LENGTH = 32

/** A fresh key with about 190 bits of chance. To be shown once and never stored. */
export function makeKey(randomBytes: (count: number) => Uint8Array): string {
  checkArgument(typeof randomBytes === 'function', randomBytes, 'a source of random bytes', 'makeKey(randomBytes)')
  let key = KEY_PREFIX
  while (key.length < KEY_PREFIX.length + KEY_LENGTH) {
    for (const byte of randomBytes(KEY_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: above it some letters would be more likely than others.
      if (byte < 248 && key.length < KEY_PREFIX.length + KEY_LENGTH) key += ALPHABET[byte % 62]
    }
  }
  return key
}

/** 128 random bits in base64: what nobody guesses. */
const SHORT_KEY_CHARACTERS = 22

/** What a start says of keys that could be guessed, a sentence each. */
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

/** What a key file has of a key, under the file's salt. */
export function hashKey(salt: string, key: string): string {
  checkArgument(typeof salt === 'string', salt, 'a salt', 'hashKey(salt, key)')
  checkArgument(typeof key === 'string', key, 'a key as its second argument', 'hashKey(salt, key)')
  return digest(salt, key).toString('hex')
}

/** Where a presented key is looked up. */
export interface KeySource {
  readonly size: number
  find(key: string): KeyRecord | undefined
}

/** The keys that are let in. */
export class KeyRing implements KeySource {
  readonly #salt: string
  readonly #entries: readonly { readonly digest: Buffer; readonly record: KeyRecord }[]

  constructor(salt: string, records: readonly KeyRecord[]) {
    this.#salt = salt
    this.#entries = records.map((record) => ({ digest: Buffer.from(record.hash, 'hex'), record }))
  }

  /** A ring of one key with every role. */
  static of(key: string, salt: string, email?: string): KeyRing {
    const record: KeyRecord = { hash: hashKey(salt, key), email, roles: new Set(roles), backends: undefined }
    return new KeyRing(salt, [record])
  }

  get size(): number {
    return this.#entries.length
  }

  /** Compares with every entry, in a time that tells nothing about which one it was or how near. */
  find(key: string): KeyRecord | undefined {
    const presented = digest(this.#salt, key)
    let found: KeyRecord | undefined
    for (const entry of this.#entries) {
      if (timingSafeEqual(presented, entry.digest)) found = entry.record
    }
    return found
  }
}
