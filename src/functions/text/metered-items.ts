import { ENTRY_BYTES, ITEMS_PER_CHECKPOINT, type Meter } from '../../base/index.ts'

/** Collects list items derived from a string. Throws before the list exceeds the limits of a value. */
export class MeteredItems {
  readonly items: string[] = []
  readonly #meter: Meter
  readonly #maker: string

  /** `maker` is the name of the function for messages. */
  constructor(meter: Meter, maker: string) {
    this.#meter = meter
    this.#maker = maker
  }

  add(item: string): void {
    if (this.items.push(item) % ITEMS_PER_CHECKPOINT !== 0) return
    this.#meter.items(this.items.length, this.#maker)
    this.#meter.room(this.items.length * ENTRY_BYTES)
    this.#meter.checkpoint()
  }
}
