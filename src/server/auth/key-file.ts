import { z } from 'zod'
import { checkArgument, SluiceError, atPath, nowhere } from '../../base/index.ts'
import { decode, decodeBody } from '../../wire/index.ts'
import { KeyRing, hashKey, roles, userFault, type KeyRecord } from './keys.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'

/** Stands for all backends, including future ones. */
const EVERY_BACKEND = '*'

const keyEntry = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  email: z.string().optional(),
  roles: z.array(z.enum(roles)),
  backends: z.array(z.string().min(1)),
  check: z.string(),
})

const keyFile = z
  .object({ salt: z.string().min(16), keys: z.array(keyEntry) })
  .meta({ id: 'KeyFile', description: 'Hashed API keys and their rights.' })

type KeyEntry = z.output<typeof keyEntry>

/** Content of a key file. */
export interface KeyFile {
  readonly salt: string
  readonly records: readonly KeyRecord[]
}

/**
 * Returns a checksum of an entry and the salt. It detects a flipped bit, which could assign a key to another user or to
 * more backends.
 */
function checkOf(salt: string, { hash, email, roles: named, backends }: Omit<KeyEntry, 'check'>): string {
  return hashKey(salt, JSON.stringify([hash, email ?? null, named, backends])).slice(0, 16)
}

function recordOf({ hash, email, roles: named, backends }: KeyEntry): KeyRecord {
  return {
    hash,
    email,
    roles: new Set(named),
    backends: backends.includes(EVERY_BACKEND) ? undefined : new Set(backends),
  }
}

/**
 * Parses a key file, `{"salt": "…", "keys": [{"hash", "email"?, "roles", "backends", "check"}]}`. The backend `*` means
 * all. Throws a `SluiceError` with JSON paths, or `setup/key-check`, `setup/key-user` or `setup/key-layout` for a
 * corrupted file.
 */
export function readKeyFile(text: string): KeyFile {
  const { salt, keys } = decodeBody(keyFile, text)
  const faults = keys.flatMap((entry, index) =>
    entry.check === checkOf(salt, entry) ? [] : [setupDiagnostic('key-check', { index }, atPath(['keys', index]))],
  )
  for (const [index, { email }] of keys.entries()) {
    const reason = email === undefined ? undefined : userFault(email)
    if (reason !== undefined)
      faults.push(setupDiagnostic('key-user', { index, reason }, atPath(['keys', index, 'email'])))
  }
  if (faults.length > 0) throw new SluiceError(faults)
  const records = keys.map(recordOf)
  if (printKeyFile(salt, records) !== text) throw new SluiceError([setupDiagnostic('key-layout', {}, nowhere)])
  return { salt, records }
}

/** Returns the intact entries of a damaged key file; `undefined` if its salt cannot be read. */
export function salvageKeyFile(text: string): KeyFile | undefined {
  const salt = /"salt": ?"([^"]*)"/.exec(text)?.[1]
  if (salt === undefined) return undefined
  // Each entry is on a line of its own, so damage affects single entries.
  const records = text.split('\n').flatMap((line) => {
    try {
      const entry = decode(keyEntry, JSON.parse(line.trim().replace(/,$/, '')))
      return entry.check === checkOf(salt, entry) ? [recordOf(entry)] : []
    } catch {
      return []
    }
  })
  return { salt, records }
}

/** Parses a key file and returns its key ring. Throws in the same cases as `readKeyFile`. */
export function parseKeyFile(text: string): KeyRing {
  checkArgument(typeof text === 'string', text, 'the text of a key file', "parseKeyFile(readFileSync('keys', 'utf8'))")
  const { salt, records } = readKeyFile(text)
  return new KeyRing(salt, records)
}

/** Formats a key file. */
export function printKeyFile(salt: string, records: readonly KeyRecord[]): string {
  checkArgument(Array.isArray(records), records, 'a list of keys as its second argument', 'printKeyFile(salt, records)')
  const lines = records.map(({ hash, email, roles: named, backends }) => {
    const entry = {
      hash: hash.toLowerCase(),
      email,
      roles: [...named],
      backends: backends === undefined ? [EVERY_BACKEND] : [...backends],
    }
    return `    ${JSON.stringify({ ...entry, check: checkOf(salt, entry) })}`
  })
  return `{\n  "salt": ${JSON.stringify(salt)},\n  "keys": [\n${lines.join(',\n')}\n  ]\n}\n`
}
