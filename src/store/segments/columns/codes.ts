import type { Codes, Dictionary } from '../../../data/index.ts'
import type { CachedPart } from '../block-cache.ts'
import { codesPart, type ColumnSource } from '../column-source.ts'
import type { Stored } from '../layout.ts'

class LazyCodes {
  readonly kind = 'dictionary'
  readonly length: number
  readonly dictionary: Dictionary
  readonly #codes: CachedPart<Codes>

  constructor(length: number, dictionary: Dictionary, codes: CachedPart<Codes>) {
    this.length = length
    this.dictionary = dictionary
    this.#codes = codes
  }

  get codes(): Codes {
    return this.#codes.get()
  }
}

export function codesColumn(source: ColumnSource, name: string, stored: Stored<'dictionary'>): LazyCodes {
  const { length, codes, maxCode } = stored
  const dictionary = source.dictionary(name)
  if (!(maxCode < dictionary.size))
    throw source.file.damaged(`its field \`${name}\` has codes that the dictionary lacks`)
  return new LazyCodes(length, dictionary, codesPart(source, codes, length))
}
