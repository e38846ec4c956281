import { expect, test } from 'vitest'
import { FieldState } from '../../../src/store/memory/field-state.ts'
import { GrowingDictionary } from '../../../src/store/index.ts'

/** One that says how large it is, and is not. */
class SaidDictionary extends GrowingDictionary {
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

/** A field whose texts came four times each. */
function fieldOf(texts: number, bytesEach: number): FieldState {
  const field = new FieldState('id', true)
  field.restore({ size: 1, read: () => new SaidDictionary(texts, texts * bytesEach) })
  field.codedValues = texts * 4
  return field
}

test('a dictionary in memory does not grow with the rows for ever', () => {
  expect(fieldOf(3_990_000, 32).review()).toBe(true)
  expect(fieldOf(4_000_001, 32).review()).toBe(false)
  expect(fieldOf(3_000_000, 90).review()).toBe(false)
  expect(fieldOf(2_000_000, 90).review()).toBe(true)
})
