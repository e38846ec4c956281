import { randomBytes } from 'node:crypto'
import { Options, SluiceError, nowhere } from '../../base/index.ts'
import { userNameOf } from '../../wire/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import type { Logger } from '../settings/environment.ts'
import { keyFileAt, keyFileWarnings } from './key-path.ts'
import { KeyRing, hashKey, roles, shortKeyWarnings, userFault, type KeySource, type ServerKey } from './keys.ts'
import { LiveKeys } from './live-keys.ts'

/** Accepted keys: plain-text keys (with all roles by default), a key file that is watched for changes, or a lookup. */
export type ServerKeys = readonly (string | ServerKey)[] | { readonly file: string } | KeySource

const keyOptions = new Options<ServerKey>({ key: 'any', email: 'any', roles: 'list', backends: 'list' })

/** A key source and its warnings. */
interface Keys {
  readonly source: KeySource
  readonly warnings: readonly string[]
}

/** Throws a SluiceError for an unusable key or key file. */
export function keysOf(keys: ServerKeys | undefined, log: Logger): Keys {
  if (keys !== undefined && 'find' in keys && !Array.isArray(keys)) return { source: keys as KeySource, warnings: [] }
  if (keys !== undefined && 'file' in keys)
    return { source: new LiveKeys(keyFileAt(keys.file), log), warnings: keyFileWarnings(keys.file) }
  const salt = randomBytes(32).toString('hex')
  const all = (keys ?? []) as readonly (string | ServerKey)[]
  const records = all.map((given, index) => {
    const entry: ServerKey = typeof given === 'string' ? { key: given } : given
    keyOptions.check(entry, `the key at position ${index}`)
    const { key, email, backends } = entry
    if (typeof key !== 'string' || key.trim() === '')
      throw new SluiceError([setupDiagnostic('empty-key', { index }, nowhere)])
    const reason = email === undefined ? undefined : userFault(email)
    if (reason !== undefined) throw new SluiceError([setupDiagnostic('key-user', { index, reason }, nowhere)])
    return {
      hash: hashKey(salt, key.trim()),
      email: email && userNameOf(email),
      roles: new Set(entry.roles ?? roles),
      backends: backends && new Set(backends),
    }
  })
  return { source: new KeyRing(salt, records), warnings: shortKeyWarnings(all) }
}
