import { fault } from '../errors/http-fault.ts'
import { shareOfKey } from '../settings/limits.ts'

/** Memory of all request bodies, limited in total and for each key. */
export class BodyMemory {
  readonly #limitBytes: number
  readonly #limitOfKeyBytes: number
  readonly #ofKeys = new Map<string, number>()
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
    this.#limitOfKeyBytes = shareOfKey(limitBytes)
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /**
   * Reserves memory. Throws 503 if all bodies together would be too large, 429 if the bodies of the key would. Requests
   * without a key count only towards the total.
   */
  reserve(bytes: number, keyId?: string): void {
    const ofKey = (this.#ofKeys.get(keyId ?? '') ?? 0) + bytes
    if (keyId !== undefined && ofKey > this.#limitOfKeyBytes)
      throw fault('too-many-bodies', { limitBytes: this.#limitOfKeyBytes }, { 'Retry-After': '1' })
    if (this.#usedBytes + bytes > this.#limitBytes)
      throw fault('busy', { reason: 'too many large bodies are being taken in' }, { 'Retry-After': '1' })
    this.#usedBytes += bytes
    if (keyId !== undefined) this.#ofKeys.set(keyId, ofKey)
  }

  release(bytes: number, keyId?: string): void {
    this.#usedBytes -= bytes
    if (keyId === undefined) return
    const ofKey = (this.#ofKeys.get(keyId) ?? 0) - bytes
    if (ofKey > 0) this.#ofKeys.set(keyId, ofKey)
    else this.#ofKeys.delete(keyId)
  }
}
