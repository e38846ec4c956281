import { toNumber, type Dictionary } from '../../../data/index.ts'

/** Caches the entries of dictionaries parsed as numbers: for each dictionary an array indexed by code. */
export class CodeNumbers {
  readonly #known = new Map<Dictionary, Float64Array | undefined>()

  /**
   * Returns the number of each entry by code, NaN for entries that are not numbers. `undefined` when an integer is too
   * large for a double.
   */
  of(dictionary: Dictionary): Float64Array | undefined {
    if (!this.#known.has(dictionary)) this.#known.set(dictionary, numbersOf(dictionary))
    return this.#known.get(dictionary)
  }

  /** Returns the largest absolute value among the finite numbers of a dictionary. */
  magnitude(dictionary: Dictionary): number {
    let size = 0
    for (const number of this.of(dictionary) ?? []) {
      const magnitude = Math.abs(number)
      if (magnitude > size && magnitude < 2 ** 900) size = magnitude
    }
    return size
  }
}

function numbersOf(dictionary: Dictionary): Float64Array | undefined {
  const numbers = new Float64Array(dictionary.size)
  for (let code = 0; code < numbers.length; code++) {
    const number = toNumber(dictionary.valueAt(code))
    if (typeof number === 'bigint') return undefined
    numbers[code] = number ?? NaN
  }
  return numbers
}
