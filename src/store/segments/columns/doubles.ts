import type { Bitmap } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { arrayPart, bitsPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'

class LazyDoubles {
  readonly kind = 'float64'
  readonly length: number
  readonly #values: CachedPart<Float64Array>
  readonly #validity: CachedPart<Bitmap> | undefined

  constructor(length: number, values: CachedPart<Float64Array>, validity: CachedPart<Bitmap> | undefined) {
    this.length = length
    this.#values = values
    this.#validity = validity
  }

  get values(): Float64Array {
    return this.#values.get()
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

export function doublesColumn(source: ColumnSource, { length, values, validity }: Stored<'float64'>): LazyDoubles {
  return new LazyDoubles(length, arrayPart(source, values, length, Float64Array), bitsPart(source, validity, length))
}
