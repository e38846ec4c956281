import { expect, test } from 'vitest'
import { FieldState } from '../../../src/store/memory/field-state.ts'
import { GrowingDictionary } from '../../../src/store/index.ts'

/** One that says how large it is, and is not. */
class SaidDictionary extends GrowingDictionary {
  readonly #size: number
  readonly #textBytes: number

  constructor(size: number, textBytes: number) {
    super()
    this.#size = size
    this.#textBytes = textBytes
  }

  override get size(): number {
    return this.#size
  }

  override get textBytes(): number {
    return this.#textBytes
  }
}

/** A field whose texts came four times each, in a dictionary of so many. */
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
