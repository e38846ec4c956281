import type { Logger } from './context.ts'
import { KeyRing, makeKey, type KeySource } from './keys.ts'
import { LiveKeys, type KeyFileView } from './live-keys.ts'

export interface KeySources {
  /** Content of the `SLUICE_API_KEY` variable. */
  readonly environmentKey: string | undefined
  readonly keyFile: KeyFileView | undefined
  readonly log: Logger
  readonly randomBytes: (count: number) => Uint8Array
}

export interface Keys {
  readonly ring: KeySource
  /** A key that was made because none was given: to be shown once on the terminal, and nowhere else. */
  readonly madeKey: string | undefined
}

/**
 * The keys that a server lets in: those of the file, as it is at each request, else the one of the environment, else a
 * fresh one. Throws a `SluiceError` when the file is malformed.
 */
export function keysFrom({ environmentKey, keyFile, log, randomBytes }: KeySources): Keys {
  if (keyFile !== undefined) return { ring: new LiveKeys(keyFile, log), madeKey: undefined }
  const salt = Buffer.from(randomBytes(32)).toString('hex')
  const given = environmentKey?.trim() ?? ''
  if (given !== '') return { ring: KeyRing.of(given, salt), madeKey: undefined }
  const madeKey = makeKey(randomBytes)
  return { ring: KeyRing.of(madeKey, salt), madeKey }
}
