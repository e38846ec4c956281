import { ENTRY_BYTES, ITEMS_PER_CHECKPOINT, type Meter } from '../../base/index.ts'

/** Collects the items of a list whose number the text decides: refused before there are more than a value may have. */
export class MeteredItems {
  readonly items: string[] = []
  readonly #meter: Meter
  readonly #maker: string

  /** `maker` is what messages call the function. */
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
