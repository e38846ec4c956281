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

/**
 * Returns the indexes below `length`, sorted by their values in group order (the order in which answers list groups).
 * The values must be distinct.
 */
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
 * Returns each dictionary code's position in group order, from a cache. `undefined` if the dictionary is too large to
 * be sorted completely.
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

/**
 * Returns the position in group order of each dictionary code, indexed by code. In a large dictionary only the codes in
 * `codes` get positions.
 */
export function dictionaryPlaces(dictionary: Dictionary, codes: Uint32Array): Uint32Array {
  return wholePlaces(dictionary) ?? placesOf(dictionary, dictionary.size, codes)
}

/**
 * Sorts these dictionary codes in group order and returns their positions, in an array of `size` entries indexed by
 * code.
 */
function placesOf(dictionary: Dictionary, size: number, codes: Uint32Array): Uint32Array {
  const order = orderOfKeys(codes.length, (index) => dictionary.valueAt(codes[index]))
  const places = new Uint32Array(size)
  for (let place = 0; place < order.length; place++) places[codes[order[place]]] = place
  return places
}
