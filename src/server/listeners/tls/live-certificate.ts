import { POLL_MS, SluiceError } from '../../../base/index.ts'
import { fileStamp } from '../../auth/key-path.ts'
import type { Logger } from '../../settings/environment.ts'
import { readCertificate, type Certificate, type TlsFiles } from './certificate.ts'

/** The stamp of a file; empty for a missing one. */
function stampOf(path: string): string {
  try {
    return fileStamp(path)
  } catch {
    return ''
  }
}

/**
 * The certificate of all ports of a server. Its files are read again after a change, and by `reload`. New files that
 * cannot be served are logged once, and the certificate from before is kept.
 */
export class LiveCertificate {
  readonly #files: TlsFiles
  readonly #log: Logger
  readonly #ports = new Set<(certificate: Certificate) => void>()
  #timer: NodeJS.Timeout | undefined
  #current: Certificate
  /** Stamp of the files that were read last, and the one of the last poll. */
  #readStamp: string
  #seenStamp: string

  /** Throws SluiceError `setup/tls` for files that cannot be served: there is no certificate from before. */
  constructor(files: TlsFiles, log: Logger) {
    this.#files = files
    this.#log = log
    this.#readStamp = this.#seenStamp = this.#stamp()
    this.#current = readCertificate(files)
  }

  get current(): Certificate {
    return this.#current
  }

  /** Calls `serve` with each later certificate, until `close`. */
  onChange(serve: (certificate: Certificate) => void): void {
    this.#ports.add(serve)
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref()
  }

  /** Reads the files now, whether they have changed or not. */
  reload(): void {
    this.#readStamp = this.#seenStamp = this.#stamp()
    try {
      this.#current = readCertificate(this.#files)
    } catch (error) {
      const reason = error instanceof SluiceError ? error.message : String(error)
      this.#log.error({ reason }, 'the new certificate is not served, the one from before still is')
      return
    }
    for (const serve of this.#ports) serve(this.#current)
    const { names, validToMs } = this.#current
    this.#log.info({ names, validTo: new Date(validToMs) }, 'the certificate was read again')
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #stamp(): string {
    return `${stampOf(this.#files.cert)}, ${stampOf(this.#files.key)}`
  }

  /** Reads changed files only when they stayed the same for one poll: two files are replaced one after the other. */
  #poll(): void {
    const stamp = this.#stamp()
    if (stamp === this.#seenStamp && stamp !== this.#readStamp) this.reload()
    else this.#seenStamp = stamp
  }
}
