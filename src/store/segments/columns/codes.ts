import type { Codes, Dictionary, DictionaryColumn } from '../../../data/index.ts'
import { codesParts, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'
import type { ElementParts } from '../stored-array.ts'
import type { WantedPiece } from '../wanted-pieces.ts'

class LazyCodes {
  readonly kind = 'dictionary'
  readonly length: number
  readonly #codes: ElementParts<Codes>
  readonly #read: () => Dictionary
  #dictionary: Dictionary | undefined

  constructor(length: number, codes: ElementParts<Codes>, read: () => Dictionary) {
    this.length = length
    this.#codes = codes
    this.#read = read
  }

  get dictionary(): Dictionary {
    return (this.#dictionary ??= this.#read())
  }

  get codes(): Codes {
    return this.#codes.get()
  }

  readAhead(rows: Uint32Array): boolean {
    return this.#codes.readAhead(rows)
  }

  wanted(rows: Uint32Array): Iterable<WantedPiece> {
    return this.#codes.wanted(rows)
  }

  taken(rows: Uint32Array): DictionaryColumn {
    const { dictionary } = this
    return { kind: 'dictionary', length: rows.length, codes: this.#codes.taken(rows), dictionary }
  }
}

export function codesColumn(source: ColumnSource, name: string, stored: Stored<'dictionary'>): LazyCodes {
  const { length, codes, maxCode } = stored
  return new LazyCodes(length, codesParts(source, codes, length, maxCode), () => {
    const dictionary = source.dictionary(name)
    if (maxCode < dictionary.size) return dictionary
    throw source.file.damaged(`its field \`${name}\` has codes that the dictionary lacks`)
  })
}
