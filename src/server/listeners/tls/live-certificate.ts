import { POLL_MS, SluiceError } from '../../../base/index.ts'
import { fileStamp } from '../../auth/key-path.ts'
import type { Logger } from '../../settings/environment.ts'
import { readCertificate, type Certificate, type TlsFiles } from './certificate.ts'

/** Returns a string that changes when the file changes; empty if the file is missing. */
function stampOf(path: string): string {
  try {
    return fileStamp(path)
  } catch {
    return ''
  }
}

/**
 * The certificate of all ports of a server. The files are read again after a change and by `reload`. If the new files
 * cannot be used, the error is logged once and the previous certificate stays in use.
 */
export class LiveCertificate {
  readonly #files: TlsFiles
  readonly #log: Logger
  readonly #ports = new Set<(certificate: Certificate) => void>()
  #timer: NodeJS.Timeout | undefined
  #current: Certificate
  /** Stamps of the files when they were last read. `#seenStamp` has the stamps at the last poll. */
  #readStamp: string
  #seenStamp: string

  /** Throws SluiceError `setup/tls` if the files cannot be used. */
  constructor(files: TlsFiles, log: Logger) {
    this.#files = files
    this.#log = log
    this.#readStamp = this.#seenStamp = this.#stamp()
    this.#current = readCertificate(files)
  }

  get current(): Certificate {
    return this.#current
  }

  /** Calls `serve` with each new certificate until `close`. */
  onChange(serve: (certificate: Certificate) => void): void {
    this.#ports.add(serve)
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref()
  }

  /** Reads the files now, even if they have not changed. */
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

  /**
   * Reads changed files once they were unchanged for one poll, since the two files are replaced one after the other.
   */
  #poll(): void {
    const stamp = this.#stamp()
    if (stamp === this.#seenStamp && stamp !== this.#readStamp) this.reload()
    else this.#seenStamp = stamp
  }
}
