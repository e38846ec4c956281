import { SluiceError } from '../../base/index.ts'
import type { Logger } from '../settings/environment.ts'
import { fault } from '../errors/http-fault.ts'
import { parseKeyFile } from './key-file.ts'
import type { KeyRecord, KeyRing, KeySource } from './keys.ts'

/** A key file as it is now, without a word about files. */
export interface KeyFileView {
  /** Another text whenever the file may have changed; throws when it cannot be told. Asked at each request. */
  readonly stamp: () => string
  /** The content; throws when it cannot be read. */
  readonly read: () => string
}

/**
 * The keys of a file that changes while the server runs: what stands in it holds from the next request on. While the file
 * is gone or cannot be read whole, nobody is let in: a key that was just revoked could still stand in what was read before.
 * The log is told once.
 */
export class LiveKeys implements KeySource {
  readonly #file: KeyFileView
  readonly #log: Logger
  /** `undefined` while the file cannot be read. */
  #ring: KeyRing | undefined
  #stamp: string

  /** Throws when the file cannot be read: there are no keys from before yet. */
  constructor(file: KeyFileView, log: Logger) {
    this.#file = file
    this.#log = log
    this.#stamp = file.stamp()
    this.#ring = parseKeyFile(file.read())
  }

  get size(): number {
    return this.#ring?.size ?? 0
  }

  /** Throws the fault `no-key-store` while the file cannot be read. */
  find(key: string): KeyRecord | undefined {
    this.#refresh()
    if (this.#ring === undefined) throw fault('no-key-store', {})
    return this.#ring.find(key)
  }

  #refresh(): void {
    let stamp: string
    try {
      stamp = this.#file.stamp()
    } catch {
      stamp = 'missing'
    }
    if (stamp === this.#stamp) return
    // Set before the content is read: what is written meanwhile has another stamp, and is read at the next request.
    this.#stamp = stamp
    try {
      this.#ring = parseKeyFile(this.#file.read())
      this.#log.info({ keys: this.#ring.size }, 'the key file has changed and was read again')
    } catch (error) {
      // Codes alone: a message could quote what stands in the file.
      const codes = error instanceof SluiceError ? error.diagnostics.map(({ code }) => code) : ['unreadable']
      this.#ring = undefined
      this.#log.error({ codes }, 'the key file cannot be read; nothing is served but health until it can')
    }
  }
}
