import { expect, test } from 'vitest'
import { DictionaryEntries } from '../../../src/store/memory/dictionary/dictionary-entries.ts'
import { FieldState } from '../../../src/store/memory/field-state.ts'
import { GrowingDictionary } from '../../../src/store/index.ts'

/** Dictionary entries that report a given size without holding any strings. */
class SaidEntries extends DictionaryEntries {
  readonly #textBytes: number

  constructor(size: number, textBytes: number) {
    super()
    this.size = size
    this.#textBytes = textBytes
  }

  override get textBytes(): number {
    return this.#textBytes
  }
}

class SaidDictionary extends GrowingDictionary {
  readonly #entries: SaidEntries

  constructor(size: number, textBytes: number) {
    super()
    this.#entries = new SaidEntries(size, textBytes)
  }

  override get size(): number {
    return this.#entries.size
  }

  override get entries(): DictionaryEntries {
    return this.#entries
  }
}

/** A field whose strings each occurred four times, in a dictionary that reports a given size. */
class SaidField extends FieldState {
  readonly #dictionary: SaidDictionary

  constructor(texts: number, bytesEach: number) {
    super('id', true)
    this.#dictionary = new SaidDictionary(texts, texts * bytesEach)
    this.codedValues = texts * 4
  }

  override get dictionary(): GrowingDictionary {
    return this.#dictionary
  }
}

const fieldOf = (texts: number, bytesEach: number): FieldState => new SaidField(texts, bytesEach)

test('a dictionary in memory does not grow with the rows for ever', () => {
  expect(fieldOf(3_990_000, 32).review()).toBe(true)
  expect(fieldOf(4_000_001, 32).review()).toBe(false)
  expect(fieldOf(3_000_000, 90).review()).toBe(false)
  expect(fieldOf(2_000_000, 90).review()).toBe(true)
})
