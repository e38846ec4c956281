import type { Bitmap } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { arrayPart, bitsPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'

class LazyIntegers {
  readonly kind = 'int64'
  readonly length: number
  readonly #high: CachedPart<Int32Array>
  readonly #low: CachedPart<Uint32Array>
  readonly #validity: CachedPart<Bitmap> | undefined

  constructor(
    length: number,
    high: CachedPart<Int32Array>,
    low: CachedPart<Uint32Array>,
    validity: CachedPart<Bitmap> | undefined,
  ) {
    this.length = length
    this.#high = high
    this.#low = low
    this.#validity = validity
  }

  get high(): Int32Array {
    return this.#high.get()
  }

  get low(): Uint32Array {
    return this.#low.get()
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

export function integersColumn(source: ColumnSource, { length, high, low, validity }: Stored<'int64'>): LazyIntegers {
  return new LazyIntegers(
    length,
    arrayPart(source, high, length, Int32Array),
    arrayPart(source, low, length, Uint32Array),
    bitsPart(source, validity, length),
  )
}
