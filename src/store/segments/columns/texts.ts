import type { Bytes } from '../../../base/index.ts'
import type { Bitmap } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { bitsPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import { StoredTextParts } from '../stored-texts.ts'

class LazyTexts {
  readonly kind = 'text'
  readonly length: number
  readonly parts: StoredTextParts
  readonly #validity: CachedPart<Bitmap> | undefined
  readonly #wide: CachedPart<Bitmap> | undefined

  constructor(
    length: number,
    parts: StoredTextParts,
    validity: CachedPart<Bitmap> | undefined,
    wide: CachedPart<Bitmap> | undefined,
  ) {
    this.length = length
    this.parts = parts
    this.#validity = validity
    this.#wide = wide
  }

  get bytes(): Bytes {
    return this.parts.bytes
  }

  get offsets(): Uint32Array {
    return this.parts.offsets
  }

  get validity(): Bitmap | undefined {
    return this.#validity?.get()
  }

  get wide(): Bitmap | undefined {
    return this.#wide?.get()
  }
}

export function textsColumn(source: ColumnSource, { length, texts, validity, wide }: Stored<'text'>): LazyTexts {
  return new LazyTexts(
    length,
    new StoredTextParts(source, texts, length),
    bitsPart(source, validity, length),
    bitsPart(source, wide, length),
  )
}
