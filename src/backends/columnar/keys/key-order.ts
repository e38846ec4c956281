import { sortedIndexes } from '../../../base/index.ts'
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
  return sortedIndexes(length, (a, b) => compareRanked(rank(a), rank(b)) || compareGroupKeys(valueOf(a), valueOf(b)))
}

interface KnownRanks {
  readonly size: number
  readonly ranks: Uint32Array
}

const known = new WeakMap<Dictionary, KnownRanks>()

/**
 * Returns the position of each dictionary code in group order, from a cache. `undefined` if the dictionary is too large
 * to be sorted completely.
 */
export function wholeDictionaryRanks(dictionary: Dictionary): Uint32Array | undefined {
  const { size } = dictionary
  if (size > WHOLE_DICTIONARY_ENTRIES) return undefined
  const before = known.get(dictionary)
  if (before?.size === size) return before.ranks
  const ranks = ranksOf(
    dictionary,
    size,
    Uint32Array.from({ length: size }, (_, code) => code),
  )
  known.set(dictionary, { size, ranks })
  return ranks
}

/**
 * Returns the position of each dictionary code in group order, indexed by code. In a large dictionary, only the codes
 * in `codes` get a position.
 */
export function dictionaryRanks(dictionary: Dictionary, codes: Uint32Array): Uint32Array {
  return wholeDictionaryRanks(dictionary) ?? ranksOf(dictionary, dictionary.size, codes)
}

/**
 * Sorts these dictionary codes in group order and returns their positions, in an array of `size` entries indexed by
 * code.
 */
function ranksOf(dictionary: Dictionary, size: number, codes: Uint32Array): Uint32Array {
  const order = orderOfKeys(codes.length, (index) => dictionary.valueAt(codes[index]))
  const ranks = new Uint32Array(size)
  for (let rank = 0; rank < order.length; rank++) ranks[codes[order[rank]]] = rank
  return ranks
}
