import {
  compareGroupKeys,
  compareRankedBy,
  hasBit,
  rankOf,
  valueAt,
  type Column,
  type Dictionary,
  type Ranked,
} from '../../data/index.ts'

/** Orders two rows by one key. */
export type RowComparer = (a: number, b: number) => number

/** How two rows of a column compare; empty is last in both directions. */
export function columnComparer(column: Column, direction: 'asc' | 'desc'): RowComparer {
  const sign = direction === 'asc' ? 1 : -1
  switch (column.kind) {
    case 'constant':
      return () => 0
    case 'time':
      if (column.validity !== undefined) break
      return (a, b) => sign * (column.deltas[a] - column.deltas[b])
    case 'float64': {
      const { values, validity } = column
      return (a, b) => {
        const x = values[a]
        const y = values[b]
        if (x < y) return -sign
        if (x > y) return sign
        if (x === y) return 0
        const isMissingA = validity !== undefined && !hasBit(validity, a)
        const isMissingB = validity !== undefined && !hasBit(validity, b)
        if (isMissingA || isMissingB) return isMissingA === isMissingB ? 0 : isMissingA ? 1 : -1
        // One of them is NaN, which comes after all other numbers.
        return x !== x ? (y !== y ? 0 : sign) : -sign
      }
    }
    case 'dictionary': {
      const places = dictionaryPlaces(column.dictionary, column.codes, direction)
      return (a, b) => places[column.codes[a]] - places[column.codes[b]]
    }
    default:
  }
  const ranks: Ranked[] = Array.from({ length: column.length }, (_, row) => rankOf(valueAt(column, row)))
  return (a, b) => compareRankedBy(ranks[a], ranks[b], direction)
}

/** Per code its place in the order; equal values share one. */
function dictionaryPlaces(dictionary: Dictionary, codes: ArrayLike<number>, direction: 'asc' | 'desc'): Uint32Array {
  const places = new Uint32Array(dictionary.size)
  const used = new Set<number>()
  for (let row = 0; row < codes.length; row++) used.add(codes[row])
  const entries = [...used].map((code) => ({ code, rank: rankOf(dictionary.valueAt(code)) }))
  entries.sort((a, b) => compareRankedBy(a.rank, b.rank, direction))
  let place = 0
  entries.forEach((entry, index) => {
    if (index > 0 && compareRankedBy(entries[index - 1].rank, entry.rank, direction) !== 0) place++
    places[entry.code] = place
  })
  return places
}

/** Row numbers in order; rows that compare equal stay as they are. */
export function sortedOrder(rowCount: number, comparers: readonly RowComparer[]): Uint32Array {
  const order = new Uint32Array(rowCount)
  for (let i = 0; i < rowCount; i++) order[i] = i
  const [first, second] = comparers
  if (first === undefined) return order
  if (second === undefined) return order.sort((a, b) => first(a, b) || a - b)
  return order.sort((a, b) => {
    for (const compare of comparers) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return a - b
  })
}

/** How two rows of a column compare as group keys. */
export function groupComparer(column: Column): RowComparer {
  return (a, b) => compareGroupKeys(valueAt(column, a), valueAt(column, b))
}
