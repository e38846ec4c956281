import { CommandError, SluiceError } from '../../base/index.ts'
import { readCertificate, type TlsFiles } from '../../server/index.ts'

export interface TlsArguments {
  readonly tlsCert?: string
  readonly tlsKey?: string
}

/**
 * Returns the files of `--tls-cert` and `--tls-key`; `undefined` without them. Throws CommandError if one is missing or
 * unusable, before the server opens anything.
 */
export function tlsOf({ tlsCert, tlsKey }: TlsArguments): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandError(
      tlsCert === undefined
        ? '--tls-key goes with --tls-cert, the file of the certificate.'
        : '--tls-cert goes with --tls-key, the file of its private key.',
    )
  const files: TlsFiles = { cert: tlsCert, key: tlsKey }
  try {
    readCertificate(files)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    throw new CommandError(error.message)
  }
  return files
}
