import { toNumber, type Dictionary } from '../../../data/index.ts'

/** Caches the numbers of dictionary entries by code, NaN for other entries. */
export class CodeNumbers {
  readonly #known = new Map<Dictionary, Float64Array | undefined>()

  /** Returns `undefined` when a number exceeds a double. */
  of(dictionary: Dictionary): Float64Array | undefined {
    if (!this.#known.has(dictionary)) this.#known.set(dictionary, numbersOf(dictionary))
    return this.#known.get(dictionary)
  }

  /** Returns the largest absolute value of the finite numbers. */
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
