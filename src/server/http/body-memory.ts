import { fault } from '../errors/http-fault.ts'
import { shareOfKey } from '../settings/limits.ts'

/** Counts the bytes of all bodies taken in, so that many cannot add up; no key has all of them. */
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

  /** Throws 503 when all of them together would become too large, 429 when those of the key would; what has no key has no share. */
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
