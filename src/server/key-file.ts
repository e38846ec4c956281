import { z } from 'zod'
import { decodeBody } from '../wire/index.ts'
import { KeyRing, roles, type KeyRecord, type Role } from './keys.ts'

const keyEntry = z.object({
  hash: z.string().regex(/^[0-9a-fA-F]{64}$/),
  email: z.string().optional(),
  roles: z.array(z.enum(roles)).optional(),
  backends: z.array(z.string().min(1)).optional(),
})

const keyFile = z
  .object({ salt: z.string().min(16), keys: z.array(keyEntry) })
  .meta({ id: 'KeyFile', description: 'Hashed API keys and what they may do.' })

/** What a key file holds. */
export interface KeyFile {
  readonly salt: string
  readonly records: readonly KeyRecord[]
}

/**
 * Reads a key file, `{"salt": "…", "keys": [{"hash", "email"?, "roles"?, "backends"?}]}`. A key without roles has all
 * three, one without backends may use every backend. Throws a `SluiceError` with JSON paths.
 */
export function readKeyFile(text: string): KeyFile {
  const file = decodeBody(keyFile, text)
  const records = file.keys.map((entry): KeyRecord => {
    const named: readonly Role[] = entry.roles ?? roles
    return {
      hash: entry.hash.toLowerCase(),
      email: entry.email,
      roles: new Set(named),
      backends: entry.backends === undefined ? undefined : new Set(entry.backends),
    }
  })
  return { salt: file.salt, records }
}

/** As `readKeyFile`, ready to let keys in. */
export function parseKeyFile(text: string): KeyRing {
  const { salt, records } = readKeyFile(text)
  return new KeyRing(salt, records)
}

/** The text of a key file. */
export function printKeyFile(salt: string, records: readonly KeyRecord[]): string {
  const keys = records.map((record) => ({
    hash: record.hash,
    email: record.email,
    roles: [...record.roles],
    backends: record.backends === undefined ? undefined : [...record.backends],
  }))
  return `${JSON.stringify({ salt, keys }, undefined, 2)}\n`
}
