import { sortedPlaces } from '../../../base/index.ts'
import {
  compareGroupKeys,
  compareRanked,
  rankOf,
  type Dictionary,
  type Ranked,
  type Value,
} from '../../../data/index.ts'
import { WHOLE_DICTIONARY_ENTRIES } from '../tuning.ts'

/** Returns the numbers below `length` in the group order of their values; keys must be distinct. */
export function orderOfKeys(length: number, valueOf: (index: number) => Value): Uint32Array {
  const ranks = Array<Ranked | undefined>(length)
  const rank = (index: number): Ranked => (ranks[index] ??= rankOf(valueOf(index)))
  return sortedPlaces(length, (a, b) => compareRanked(rank(a), rank(b)) || compareGroupKeys(valueOf(a), valueOf(b)))
}

interface KnownPlaces {
  readonly size: number
  readonly places: Uint32Array
}

const known = new WeakMap<Dictionary, KnownPlaces>()

/**
 * Returns the position of each code in group order, cached; `undefined` for a dictionary that is too large to order as
 * a whole.
 */
export function wholePlaces(dictionary: Dictionary): Uint32Array | undefined {
  const { size } = dictionary
  if (size > WHOLE_DICTIONARY_ENTRIES) return undefined
  const before = known.get(dictionary)
  if (before?.size === size) return before.places
  const places = placesOf(
    dictionary,
    size,
    Uint32Array.from({ length: size }, (_, code) => code),
  )
  known.set(dictionary, { size, places })
  return places
}

/** Returns the position of each code in group order; for large dictionaries only of the requested codes. */
export function dictionaryPlaces(dictionary: Dictionary, codes: Uint32Array): Uint32Array {
  return wholePlaces(dictionary) ?? placesOf(dictionary, dictionary.size, codes)
}

/** Returns positions by code, below `size`. */
function placesOf(dictionary: Dictionary, size: number, codes: Uint32Array): Uint32Array {
  const order = orderOfKeys(codes.length, (index) => dictionary.valueAt(codes[index]))
  const places = new Uint32Array(size)
  for (let place = 0; place < order.length; place++) places[codes[order[place]]] = place
  return places
}
