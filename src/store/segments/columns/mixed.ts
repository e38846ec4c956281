import type { Bytes } from '../../../base/index.ts'
import { columnOfValues, valueOfParts, type ValuesColumn } from '../../../data/index.ts'
import { arrayParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'
import { StoredTextParts } from '../stored-texts.ts'
import type { WantedPiece } from '../wanted-pieces.ts'

class LazyMixed {
  readonly kind = 'mixed'
  readonly length: number
  readonly reader: StoredTextParts
  readonly #tags: ElementParts<Uint8Array>
  readonly #numbers: ElementParts<Float64Array>

  constructor(
    length: number,
    tags: ElementParts<Uint8Array>,
    numbers: ElementParts<Float64Array>,
    reader: StoredTextParts,
  ) {
    this.length = length
    this.#tags = tags
    this.#numbers = numbers
    this.reader = reader
  }

  get tags(): Uint8Array {
    return this.#tags.get()
  }

  get numbers(): Float64Array {
    return this.#numbers.get()
  }

  readAhead(rows: Uint32Array): boolean {
    const areTagsAhead = this.#tags.readAhead(rows)
    const areNumbersAhead = this.#numbers.readAhead(rows)
    return this.reader.readAhead(rows) || areTagsAhead || areNumbersAhead
  }

  *wanted(rows: Uint32Array): Generator<WantedPiece> {
    yield* this.#tags.wanted(rows)
    yield* this.#numbers.wanted(rows)
  }

  taken(rows: Uint32Array): ValuesColumn {
    const tags = this.#tags.taken(rows)
    const numbers = this.#numbers.taken(rows)
    return columnOfValues(
      Array.from(rows, (row, i) => {
        const { bytes, start, end } = this.reader.at(row)
        return valueOfParts(tags[i], numbers[i], bytes, start, end)
      }),
    )
  }

  get bytes(): Bytes {
    return this.reader.bytes
  }

  get offsets(): Uint32Array {
    return this.reader.offsets
  }
}

export function mixedColumn(source: ColumnSource, { length, tags, numbers, texts }: Stored<'mixed'>): LazyMixed {
  return new LazyMixed(
    length,
    arrayParts(source, tags, length, Uint8Array),
    arrayParts(source, numbers, length, Float64Array),
    new StoredTextParts(source, texts, length),
  )
}
