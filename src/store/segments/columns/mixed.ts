import type { Bytes } from '../../../base/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { arrayPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import { StoredTextParts } from '../stored-texts.ts'

class LazyMixed {
  readonly kind = 'mixed'
  readonly length: number
  readonly parts: StoredTextParts
  readonly #tags: CachedPart<Uint8Array>
  readonly #numbers: CachedPart<Float64Array>

  constructor(length: number, tags: CachedPart<Uint8Array>, numbers: CachedPart<Float64Array>, parts: StoredTextParts) {
    this.length = length
    this.#tags = tags
    this.#numbers = numbers
    this.parts = parts
  }

  get tags(): Uint8Array {
    return this.#tags.get()
  }

  get numbers(): Float64Array {
    return this.#numbers.get()
  }

  get bytes(): Bytes {
    return this.parts.bytes
  }

  get offsets(): Uint32Array {
    return this.parts.offsets
  }
}

export function mixedColumn(source: ColumnSource, { length, tags, numbers, texts }: Stored<'mixed'>): LazyMixed {
  return new LazyMixed(
    length,
    arrayPart(source, tags, length, Uint8Array),
    arrayPart(source, numbers, length, Float64Array),
    new StoredTextParts(source, texts, length),
  )
}
