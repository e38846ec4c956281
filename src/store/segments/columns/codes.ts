import type { Codes, Dictionary } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { codesPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'

class LazyCodes {
  readonly kind = 'dictionary'
  readonly length: number
  readonly #codes: CachedPart<Codes>
  readonly #read: () => Dictionary
  #dictionary: Dictionary | undefined

  constructor(length: number, codes: CachedPart<Codes>, read: () => Dictionary) {
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
}

export function codesColumn(source: ColumnSource, name: string, stored: Stored<'dictionary'>): LazyCodes {
  const { length, codes, maxCode } = stored
  return new LazyCodes(length, codesPart(source, codes, length), () => {
    const dictionary = source.dictionary(name)
    if (maxCode < dictionary.size) return dictionary
    throw source.file.damaged(`its field \`${name}\` has codes that the dictionary lacks`)
  })
}
