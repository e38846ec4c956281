import { BYTES_PER_CHECKPOINT, ITEMS_PER_CHECKPOINT, type Meter } from '../../base/index.ts'

/**
 * Concatenates many short strings without storing a list of them. Throws before the result exceeds the limit of a
 * value.
 */
export class TextBuilder {
  readonly #meter: Meter
  readonly #maker: string
  readonly #chunks: string[] = []
  #pieces: string[] = []
  #chars = 0
  #lookAt = BYTES_PER_CHECKPOINT

  /** `maker` is the name of the function for messages. */
  constructor(meter: Meter, maker: string) {
    this.#meter = meter
    this.#maker = maker
  }

  add(text: string): void {
    this.#chars += text.length
    if (this.#chars > this.#lookAt) {
      this.#meter.text(this.#chars, this.#maker)
      this.#meter.checkpoint()
      this.#lookAt = this.#chars + BYTES_PER_CHECKPOINT
    }
    if (this.#pieces.push(text) < ITEMS_PER_CHECKPOINT) return
    this.#chunks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** Returns the concatenated string. Nothing may be added afterwards. */
  text(): string {
    this.#meter.text(this.#chars, this.#maker)
    if (this.#chunks.length === 0) return this.#pieces.join('')
    this.#chunks.push(this.#pieces.join(''))
    return this.#chunks.join('')
  }
}
