import { SluiceError } from '../../base/index.ts'
import type { Logger } from '../settings/environment.ts'
import { fault } from '../errors/http-fault.ts'
import { parseKeyFile } from './key-file.ts'
import type { KeyRecord, KeyRing, KeySource } from './keys.ts'

/** The current content of a key file. */
export interface KeyFileView {
  /**
   * Returns a string that changes whenever the file may have changed. Throws if that cannot be determined. Called for
   * each request.
   */
  readonly stamp: () => string
  /** Reads the content; throws if it cannot be read. */
  readonly read: () => string
}

/**
 * Keys of a file that may change while the server runs. Changes apply to the next request. While the file is missing or
 * unreadable, no key is accepted, because the previous content could include revoked keys. The error is logged once.
 */
export class LiveKeys implements KeySource {
  readonly #file: KeyFileView
  readonly #log: Logger
  /** Keys of the file; `undefined` while it is unreadable. */
  #ring: KeyRing | undefined
  #stamp: string
  /** Codes of the last logged error, so that the same error is logged only once. */
  #codeList = ''

  /** Throws if the file is unreadable. */
  constructor(file: KeyFileView, log: Logger) {
    this.#file = file
    this.#log = log
    this.#stamp = file.stamp()
    this.#ring = parseKeyFile(file.read())
  }

  get size(): number {
    return this.#ring?.size ?? 0
  }

  /** Finds a key. Throws `no-key-store` while the file is unreadable. */
  find(key: string): KeyRecord | undefined {
    return this.#current().find(key)
  }

  /** Returns all keys. Throws `no-key-store` while the file is unreadable. */
  records(): readonly KeyRecord[] {
    return this.#current().records()
  }

  #current(): KeyRing {
    this.#refresh()
    if (this.#ring === undefined) throw fault('no-key-store', {})
    return this.#ring
  }

  #refresh(): void {
    let stamp: string
    try {
      stamp = this.#file.stamp()
    } catch {
      stamp = 'missing'
    }
    if (stamp === this.#stamp) return
    // Set before reading: if the file changes during the read, the next request finds another stamp and reads again.
    this.#stamp = stamp
    try {
      this.#ring = parseKeyFile(this.#file.read())
      this.#codeList = ''
      this.#log.info({ keys: this.#ring.size }, 'the key file has changed and was read again')
    } catch (error) {
      // Logs only codes, since messages may quote the content.
      const codes = error instanceof SluiceError ? error.diagnostics.map(({ code }) => code) : ['unreadable']
      this.#ring = undefined
      // An error of the system, such as too many open files, may be temporary, so the next request tries again.
      if (!(error instanceof SluiceError)) this.#stamp = ''
      const codeList = codes.join(' ')
      if (codeList === this.#codeList) return
      this.#codeList = codeList
      this.#log.error({ codes }, 'the key file cannot be read; nothing is served but health until it can')
    }
  }
}
