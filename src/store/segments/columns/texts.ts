import type { Bytes } from '../../../base/index.ts'
import type { Bitmap } from '../../../data/index.ts'
import { bitsAhead, bitsParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'
import { StoredTextParts } from '../stored-texts.ts'

class LazyTexts {
  readonly kind = 'text'
  readonly length: number
  readonly reader: StoredTextParts
  readonly #validity: ElementParts<Bitmap> | undefined
  readonly #wide: ElementParts<Bitmap> | undefined

  constructor(
    length: number,
    reader: StoredTextParts,
    validity: ElementParts<Bitmap> | undefined,
    wide: ElementParts<Bitmap> | undefined,
  ) {
    this.length = length
    this.reader = reader
    this.#validity = validity
    this.#wide = wide
  }

  readAhead(rows: Uint32Array): boolean {
    const areTextsAhead = this.reader.readAhead(rows)
    const isValidityAhead = bitsAhead(this.#validity, rows)
    return bitsAhead(this.#wide, rows) || areTextsAhead || isValidityAhead
  }

  get bytes(): Bytes {
    return this.reader.bytes
  }

  get offsets(): Uint32Array {
    return this.reader.offsets
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
    bitsParts(source, validity, length),
    bitsParts(source, wide, length),
  )
}
