/** A seeded generator of 32-bit numbers (sfc32). Equal seeds give equal sequences on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number) {
    this.#a = seed | 0
    this.#b = Math.imul(seed, 0x9e3779b9) | 0
    this.#c = 0x243f6a88
    for (let i = 0; i < 12; i++) this.uint32()
  }

  uint32(): number {
    const t = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t
    return t >>> 0
  }

  /** Draws a number in `[0, 1)` with 32 random bits. */
  unit(): number {
    return this.uint32() / 4294967296
  }

  /** Draws an integer in `[0, bound)`. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }

  /** Draws a number with the standard normal distribution. */
  normal(): number {
    const u = 1 - this.unit()
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.unit())
  }

  /** Draws `count` hex digits. */
  hex(count: number): string {
    let text = ''
    while (text.length < count) text += this.uint32().toString(16).padStart(8, '0')
    return text.slice(0, count)
  }
}

/** Draws indexes with given weights, by binary search in the running sums. */
export class Weighted {
  readonly #bounds: Float64Array

  constructor(weights: readonly number[]) {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    this.#bounds = new Float64Array(weights.length)
    let running = 0
    weights.forEach((weight, index) => {
      running += weight / total
      this.#bounds[index] = running
    })
  }

  draw(random: Random): number {
    const at = random.unit()
    let low = 0
    let high = this.#bounds.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#bounds[middle] > at) high = middle
      else low = middle + 1
    }
    return low
  }
}

export function zipf(count: number, exponent: number): Weighted {
  return new Weighted(Array.from({ length: count }, (_, rank) => 1 / (rank + 1) ** exponent))
}
