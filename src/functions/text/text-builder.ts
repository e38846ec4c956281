import { BYTES_PER_CHECKPOINT, ITEMS_PER_CHECKPOINT, type Meter } from '../../base/index.ts'

/**
 * Puts a long text together from many short ones: refused before it grows beyond what one value may be, and without a
 * long list of pieces behind it.
 */
export class TextBuilder {
  readonly #meter: Meter
  readonly #maker: string
  readonly #chunks: string[] = []
  #pieces: string[] = []
  #chars = 0
  #lookAt = BYTES_PER_CHECKPOINT

  /** `maker` is what messages call the function. */
  constructor(meter: Meter, maker: string) {
    this.#meter = meter
    this.#maker = maker
  }

  add(piece: string): void {
    this.#chars += piece.length
    if (this.#chars > this.#lookAt) {
      this.#meter.text(this.#chars, this.#maker)
      this.#meter.checkpoint()
      this.#lookAt = this.#chars + BYTES_PER_CHECKPOINT
    }
    if (this.#pieces.push(piece) < ITEMS_PER_CHECKPOINT) return
    this.#chunks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** The whole; nothing may be added behind it. */
  text(): string {
    this.#meter.text(this.#chars, this.#maker)
    if (this.#chunks.length === 0) return this.#pieces.join('')
    this.#chunks.push(this.#pieces.join(''))
    return this.#chunks.join('')
  }
}
