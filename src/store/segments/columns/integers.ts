import { bitsTaken, type Bitmap, type Int64Column } from '../../../data/index.ts'
import { arrayParts, bitsAhead, bitsParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'
import type { WantedPiece } from '../wanted-pieces.ts'

class LazyIntegers {
  readonly kind = 'int64'
  readonly length: number
  readonly #high: ElementParts<Int32Array>
  readonly #low: ElementParts<Uint32Array>
  readonly #validity: ElementParts<Bitmap> | undefined

  constructor(
    length: number,
    high: ElementParts<Int32Array>,
    low: ElementParts<Uint32Array>,
    validity: ElementParts<Bitmap> | undefined,
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

  readAhead(rows: Uint32Array): boolean {
    const isHighAhead = this.#high.readAhead(rows)
    const isLowAhead = this.#low.readAhead(rows)
    return bitsAhead(this.#validity, rows) || isHighAhead || isLowAhead
  }

  *wanted(rows: Uint32Array): Generator<WantedPiece> {
    yield* this.#high.wanted(rows)
    yield* this.#low.wanted(rows)
  }

  taken(rows: Uint32Array): Int64Column {
    const validity = bitsTaken(this.validity, rows)
    return { kind: 'int64', length: rows.length, high: this.#high.taken(rows), low: this.#low.taken(rows), validity }
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }
}

export function integersColumn(source: ColumnSource, { length, high, low, validity }: Stored<'int64'>): LazyIntegers {
  return new LazyIntegers(
    length,
    arrayParts(source, high, length, Int32Array),
    arrayParts(source, low, length, Uint32Array),
    bitsParts(source, validity, length),
  )
}
