import { bitsTaken, type Bitmap, type Float64Column } from '../../../data/index.ts'
import { arrayParts, bitsAhead, bitsParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'
import type { WantedPiece } from '../wanted-pieces.ts'

class LazyDoubles {
  readonly kind = 'float64'
  readonly length: number
  readonly #values: ElementParts<Float64Array>
  readonly #validity: ElementParts<Bitmap> | undefined

  constructor(length: number, values: ElementParts<Float64Array>, validity: ElementParts<Bitmap> | undefined) {
    this.length = length
    this.#values = values
    this.#validity = validity
  }

  get values(): Float64Array {
    return this.#values.get()
  }

  readAhead(rows: Uint32Array): boolean {
    const isAhead = this.#values.readAhead(rows)
    return bitsAhead(this.#validity, rows) || isAhead
  }

  wanted(rows: Uint32Array): Iterable<WantedPiece> {
    return this.#values.wanted(rows)
  }

  taken(rows: Uint32Array): Float64Column {
    const validity = bitsTaken(this.validity, rows)
    return { kind: 'float64', length: rows.length, values: this.#values.taken(rows), validity }
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

export function doublesColumn(source: ColumnSource, { length, values, validity }: Stored<'float64'>): LazyDoubles {
  return new LazyDoubles(length, arrayParts(source, values, length, Float64Array), bitsParts(source, validity, length))
}
