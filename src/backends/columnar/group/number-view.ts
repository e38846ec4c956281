import { toNumber, type Column, type Dictionary } from '../../../data/index.ts'

/** The numbers of a dictionary by code, NaN where there is none; `undefined` when some are beyond a double. */
export class CodeNumbers {
  readonly #known = new Map<Dictionary, Float64Array | null>()

  of(dictionary: Dictionary): Float64Array | undefined {
    const known = this.#known.get(dictionary)
    if (known === null) return undefined
    if (known !== undefined && known.length >= dictionary.size) return known
    const numbers = new Float64Array(dictionary.size)
    for (let code = 0; code < numbers.length; code++) {
      const number = toNumber(dictionary.valueAt(code))
      if (typeof number === 'bigint') {
        this.#known.set(dictionary, null)
        return undefined
      }
      numbers[code] = number ?? NaN
    }
    this.#known.set(dictionary, numbers)
    return numbers
  }
}

/** The largest magnitude of finite numbers in a column, a bound from above; `undefined` when unknown. */
export function magnitudeOf(
  column: Column,
  zones: { readonly min: number; readonly max: number } | undefined,
): number | undefined {
  if (column.kind !== 'float64' || zones === undefined) return undefined
  const size = Math.max(Math.abs(zones.min), Math.abs(zones.max))
  return zones.min > zones.max ? 0 : size
}
