import { sortedIndexes, work, type Meter } from '../../../base/index.ts'
import {
  compareGroupKeys,
  compareRankedBy,
  holdsValues,
  rankOf,
  valueAt,
  valueBytes,
  type Codes,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type Ranked,
} from '../../../data/index.ts'
import { plainNumbers, plainTimes } from './plain-columns.ts'
import { radixOrder } from './radix-order.ts'
import { comparerOfWords, wordsOfNumbers, wordsOfTimes, type SortWords } from './sort-words.ts'

/** Compares two row numbers by one sort key. */
export interface RowComparer {
  (a: number, b: number): number
  /** The same order as unsigned words for radix sorting; present if the type of the column allows it. */
  readonly words?: SortWords
}

/** Treats all rows as equal, for a key with the same value in every row. */
const allEqual: RowComparer = () => 0

/** Bytes for the two sort words of a row. */
const SORT_WORDS_BYTES = 8
/** Estimated bytes of a value's sort rank, without its string. */
const RANK_BYTES = 64

/**
 * Returns a comparer of a column's rows in this direction; empty values are last in both directions. Values that the
 * comparer caches are charged to `meter`.
 */
export function columnComparer(column: Column, direction: 'asc' | 'desc', meter: Pick<Meter, 'charge'>): RowComparer {
  // Constant columns have no sort words, because radix-sorting equal words is useless work. A sort may have thousands
  // of missing fields.
  if (column.kind === 'constant') return allEqual
  meter.charge(column.length * SORT_WORDS_BYTES)
  work(column.length >>> 3)
  const words = sortWordsOf(column, direction)
  if (words === undefined) meter.charge(-column.length * SORT_WORDS_BYTES)
  if (words !== undefined) return Object.assign(comparerOfWords(words), { words })
  // A rank is computed when its row is first compared, so that no single step takes long.
  const ranks = Array<Ranked | undefined>(column.length)
  const isStored = !holdsValues(column)
  const read = (row: number): Ranked => {
    const value = valueAt(column, row)
    meter.charge(isStored ? RANK_BYTES + valueBytes(value) : RANK_BYTES)
    return rankOf(value)
  }
  const rank = (row: number): Ranked => (ranks[row] ??= read(row))
  return (a, b) => compareRankedBy(rank(a), rank(b), direction)
}

function sortWordsOf(column: Column, direction: 'asc' | 'desc'): SortWords | undefined {
  if (column.kind === 'dictionary') {
    return { high: undefined, low: ranksOfCodes(column, direction) }
  }
  const numbers = plainNumbers(column)
  if (numbers !== undefined) return wordsOfNumbers(numbers, direction)
  const times = plainTimes(column)
  return times === undefined ? undefined : wordsOfTimes(times, direction)
}

/** Returns for each row the position of its value in sort order; equal values share a position. */
function ranksOfCodes({ codes, dictionary, length }: DictionaryColumn, direction: 'asc' | 'desc'): Uint32Array {
  const ranks = new Uint32Array(length)
  if (dictionary.size > length) {
    // When few rows refer to a large dictionary, no array of the dictionary's size is allocated.
    const byCode = new Map<number, number>()
    const used = [...new Set<number>(codes.subarray(0, length))]
    rankEntries(dictionary, used, direction, (code, rank) => byCode.set(code, rank))
    for (let row = 0; row < length; row++) ranks[row] = byCode.get(codes[row]) ?? 0
    return ranks
  }
  const byCode = new Uint32Array(dictionary.size)
  const used = usedCodes(codes, length, dictionary)
  rankEntries(dictionary, used, direction, (code, rank) => (byCode[code] = rank))
  for (let row = 0; row < length; row++) ranks[row] = byCode[codes[row]]
  return ranks
}

function usedCodes(codes: Codes, length: number, { size }: Dictionary): number[] {
  const isUsed = new Uint8Array(size)
  const used: number[] = []
  for (let row = 0; row < length; row++) {
    const code = codes[row]
    if (isUsed[code] === 0) used.push(code)
    isUsed[code] = 1
  }
  return used
}

/** Sorts some dictionary entries and stores the position of each. */
function rankEntries(
  dictionary: Dictionary,
  codes: readonly number[],
  direction: 'asc' | 'desc',
  assign: (code: number, rank: number) => void,
): void {
  const entries = codes.map((code) => {
    work(4)
    return { code, rank: rankOf(dictionary.valueAt(code)) }
  })
  entries.sort((a, b) => {
    work(1)
    return compareRankedBy(a.rank, b.rank, direction)
  })
  let position = 0
  for (const [index, { code, rank }] of entries.entries()) {
    if (index > 0 && compareRankedBy(entries[index - 1].rank, rank, direction) !== 0) position++
    assign(code, position)
  }
}

/**
 * Returns row numbers sorted by these comparers, most significant first. Rows that compare as equal keep their order.
 */
export function sortedOrder(rowCount: number, all: readonly RowComparer[]): Uint32Array {
  const comparers = all.filter((comparer) => comparer !== allEqual)
  const keys = wordsOfAll(comparers)
  if (keys !== undefined && keys.length > 0) return radixOrder(rowCount, keys)
  const [first, ...others] = comparers
  if (first === undefined) return rowsInOrder(rowCount)
  return sortedIndexes(rowCount, (a, b) => {
    let result = first(a, b)
    for (let i = 0; result === 0 && i < others.length; i++) result = others[i](a, b)
    return result
  })
}

/** Returns the numbers from 0 to `rowCount - 1`. A loop is much faster than `Uint32Array.from` with a length. */
export function rowsInOrder(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount)
  for (let row = 0; row < rowCount; row++) rows[row] = row
  return rows
}

/** Returns the sort words of all comparers; `undefined` when one of them has none. */
export function wordsOfAll(comparers: readonly RowComparer[]): readonly SortWords[] | undefined {
  const keys: SortWords[] = []
  for (const { words } of comparers) {
    if (words === undefined) return undefined
    keys.push(words)
  }
  return keys
}

/** Returns a comparer of a column's rows in the order of group keys. */
export function groupComparer(column: Column): RowComparer {
  return (a, b) => compareGroupKeys(valueAt(column, a), valueAt(column, b))
}
