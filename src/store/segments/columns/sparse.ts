import type { Column } from '../../../data/index.ts'
import { arrayParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'

class LazySparse {
  readonly kind = 'sparse'
  readonly length: number
  readonly present: Column
  readonly #rows: ElementParts<Uint32Array>

  constructor(length: number, rows: ElementParts<Uint32Array>, present: Column) {
    this.length = length
    this.#rows = rows
    this.present = present
  }

  get rows(): Uint32Array {
    return this.#rows.get()
  }
}

export function sparseColumn(source: ColumnSource, { length, rows }: Stored<'sparse'>, present: Column): LazySparse {
  return new LazySparse(length, arrayParts(source, rows, present.length, Uint32Array), present)
}
