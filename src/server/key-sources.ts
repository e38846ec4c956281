import { parseKeyFile } from './key-file.ts'
import { KeyRing, makeKey } from './keys.ts'

export interface KeySources {
  /** Content of the `SLUICE_API_KEY` variable. */
  readonly environmentKey: string | undefined
  /** Content of the key file. */
  readonly keyFileText: string | undefined
  readonly randomBytes: (count: number) => Uint8Array
}

export interface Keys {
  readonly ring: KeyRing
  /** A key that was made because none was given: to be shown once on the terminal, and nowhere else. */
  readonly madeKey: string | undefined
}

/**
 * The keys that a server lets in: those of the file, else the one of the environment, else a fresh one. Throws a
 * `SluiceError` when the file is malformed.
 */
export function keysFrom({ environmentKey, keyFileText, randomBytes }: KeySources): Keys {
  if (keyFileText !== undefined) return { ring: parseKeyFile(keyFileText), madeKey: undefined }
  const salt = Buffer.from(randomBytes(32)).toString('hex')
  const given = environmentKey?.trim() ?? ''
  if (given !== '') return { ring: KeyRing.of(given, salt), madeKey: undefined }
  const madeKey = makeKey(randomBytes)
  return { ring: KeyRing.of(madeKey, salt), madeKey }
}
