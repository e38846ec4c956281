import { compareGroupKeys, compareRanked, rankOf, type Dictionary, type Value } from '../../../data/index.ts'

/** Positions of values in group order; equal keys do not come twice. */
export function orderOfKeys(values: readonly Value[]): Uint32Array {
  const entries = values.map((value, index) => ({ value, index, rank: rankOf(value) }))
  entries.sort((a, b) => compareRanked(a.rank, b.rank) || compareGroupKeys(a.value, b.value))
  return Uint32Array.from(entries, (entry) => entry.index)
}

interface KnownPlaces {
  readonly size: number
  readonly places: Uint32Array
}

const known = new WeakMap<Dictionary, KnownPlaces>()
/** Dictionaries up to this size are ordered whole and remembered. */
const REMEMBERED = 65_536

/** The place of each code in group order; for big dictionaries only of the codes asked for. */
export function dictionaryPlaces(dictionary: Dictionary, codes: Uint32Array): Uint32Array {
  const { size } = dictionary
  const whole = size <= REMEMBERED
  const before = known.get(dictionary)
  if (whole && before !== undefined && before.size === size) return before.places
  const list = whole ? Uint32Array.from({ length: size }, (_, code) => code) : codes
  const order = orderOfKeys(Array.from(list, (code) => dictionary.valueAt(code)))
  const places = new Uint32Array(size)
  for (let place = 0; place < order.length; place++) places[list[order[place]]] = place
  if (whole) known.set(dictionary, { size, places })
  return places
}
