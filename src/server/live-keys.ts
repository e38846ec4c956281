import { SluiceError } from '../base/index.ts'
import type { Logger } from './context.ts'
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
 * The keys of a file that changes while the server runs: what stands in it holds from the next request on. A file that is
 * gone or malformed changes nothing, and is told to the log once.
 */
export class LiveKeys implements KeySource {
  readonly #file: KeyFileView
  readonly #log: Logger
  #ring: KeyRing
  #stamp: string

  /** Throws when the file cannot be read: there are no keys from before yet. */
  constructor(file: KeyFileView, log: Logger) {
    this.#file = file
    this.#log = log
    this.#stamp = file.stamp()
    this.#ring = parseKeyFile(file.read())
  }

  get size(): number {
    return this.#ring.size
  }

  find(key: string): KeyRecord | undefined {
    this.#refresh()
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
      this.#log.error({ codes, keys: this.#ring.size }, 'the key file cannot be read; the keys from before hold on')
    }
  }
}
