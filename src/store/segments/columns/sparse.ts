import type { Column } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { arrayPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'

class LazySparse {
  readonly kind = 'sparse'
  readonly length: number
  readonly present: Column
  readonly #rows: CachedPart<Uint32Array>

  constructor(length: number, rows: CachedPart<Uint32Array>, present: Column) {
    this.length = length
    this.#rows = rows
    this.present = present
  }

  get rows(): Uint32Array {
    return this.#rows.get()
  }
}

export function sparseColumn(source: ColumnSource, { length, rows }: Stored<'sparse'>, present: Column): LazySparse {
  return new LazySparse(length, arrayPart(source, rows, present.length, Uint32Array), present)
}
