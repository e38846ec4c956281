import { X509Certificate, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { SluiceError, nowhere } from '../../../base/index.ts'
import { setupDiagnostic } from '../../errors/setup-diagnostics.ts'

/** Paths of a certificate and its private key, both in PEM form. */
export interface TlsFiles {
  /** The server's certificate, followed by the certificates of intermediate issuers. */
  readonly cert: string
  /** Private key of the certificate, without a passphrase. */
  readonly key: string
}

/** A certificate that a port can serve. */
export interface Certificate {
  /** Certificates in PEM form. */
  readonly cert: string
  /** Private key in PEM form. */
  readonly key: string
  /** Subject names of the certificate, such as `DNS:sluice.example.com`; empty if it has none. */
  readonly names: string
  /** Validity period of the certificate, Unix ms. */
  readonly validFromMs: number
  readonly validToMs: number
}

function refuse(path: string, reason: string): never {
  throw new SluiceError([setupDiagnostic('tls', { path, reason }, nowhere)])
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(path, `it cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
}

/** Returns the result of `read`. If that throws, throws `setup/tls` with the path and the reason. */
function parsed<T>(path: string, reason: string, read: () => T): T {
  try {
    return read()
  } catch {
    return refuse(path, reason)
  }
}

/**
 * Reads and checks a certificate and its key. Throws SluiceError `setup/tls`, which names the file, if they cannot be
 * used.
 */
export function readCertificate(files: TlsFiles): Certificate {
  const cert = textOf(files.cert)
  const key = textOf(files.key)
  const first = parsed(files.cert, 'it has no certificate in PEM form', () => new X509Certificate(cert))
  if (/ENCRYPTED/.test(key)) refuse(files.key, 'it is encrypted, and a server has nobody to ask for the passphrase')
  const secret = parsed(files.key, 'it has no private key in PEM form', () => createPrivateKey(key))
  if (!first.checkPrivateKey(secret)) refuse(files.key, `it is not the key of the certificate in ${files.cert}`)
  parsed(files.cert, 'TLS does not allow it: its key is too short, or its chain is cut off', () =>
    createSecureContext({ cert, key }),
  )
  return {
    cert,
    key,
    names: first.subjectAltName ?? '',
    validFromMs: Date.parse(first.validFrom),
    validToMs: Date.parse(first.validTo),
  }
}
