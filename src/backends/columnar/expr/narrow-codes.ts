import { present } from '../../../base/index.ts'
import { countBits, type Bitmap, type DictionaryColumn } from '../../../data/index.ts'
import { bitmapOfCode, isFrequentIn, rowsOfCode, type StoredColumn } from '../../../store/index.ts'
import type { CodeSet } from './code-set.ts'
import type { Counters } from './counters.ts'
import { addRows, keepListed } from './mask.ts'

/**
 * Maximum number of codes whose row lists are read one by one, in a segment that has row lists by code but no counts.
 */
const MAX_LOOKUPS = 64

/** Clears the remaining rows of `mask` whose code does not pass, by reading the code of each. */
export function narrowByCodes(column: DictionaryColumn, { passes }: CodeSet, mask: Bitmap): void {
  const { codes } = column
  for (let i = 0; i < mask.length; i++) {
    let word = mask[i]
    if (word === 0) continue
    let kept = word
    while (word !== 0) {
      const low = word & -word
      if (passes[codes[(i << 5) + 31 - Math.clz32(low)]] === 0) kept ^= low
      word ^= low
    }
    mask[i] = kept
  }
}

/**
 * Clears the rows that do not pass, by the row lists that a segment has for each code: either the lists of the passing
 * codes or those of all other codes, whichever have fewer rows. Returns false, with `mask` unchanged, if reading every
 * code is cheaper.
 */
export function narrowByOrder(
  stored: StoredColumn,
  column: DictionaryColumn,
  set: CodeSet,
  mask: Bitmap,
  counters: Counters,
): boolean {
  const { hasOrder, counts } = stored
  if (!hasOrder) return false
  const { length } = column
  if (counts === undefined) {
    if (set.list.length > MAX_LOOKUPS || stored.wantsOrder?.() === false) return false
    const order = present(stored.order)
    const { codes } = column
    const lists = Array.from(set.list, (code) => rowsOfCode(order, codes, code))
    const listed = lists.reduce((sum, { length: rows }) => sum + rows, 0)
    counters.postingsRead += listed
    keepListed(mask, lists)
    return true
  }
  const passing = set.list.filter((code) => code < counts.length && counts[code] > 0)
  let passingRows = 0
  let passingCost = 0
  for (const code of passing) {
    passingRows += counts[code]
    passingCost += costOf(length, code, counts, mask)
  }
  if (passingRows === length) return true
  if (passingRows === 0) {
    mask.fill(0)
    return true
  }
  const isInverted = passingRows > length - passingRows
  const others = isInverted ? otherCodes(set, counts) : passing
  let cost = passingCost
  if (isInverted) {
    cost = 0
    for (const code of others) cost += costOf(length, code, counts, mask)
  }
  if (cost > mask.length && cost > countBits(mask) * 2 + mask.length) return false
  if (stored.wantsOrder?.() === false) return false
  const order = present(stored.order)
  const { codes } = column
  for (const code of others) counters.postingsRead += bitmapOfCode(order, codes, code) === undefined ? counts[code] : 0
  const [only] = others
  const single = others.length === 1 ? bitmapOfCode(order, codes, only) : undefined
  if (single !== undefined) {
    if (isInverted) andNotWith(mask, single)
    else andWith(mask, single)
    return true
  }
  const listed = new Uint32Array(mask.length)
  for (const code of others) {
    const bits = bitmapOfCode(order, codes, code)
    if (bits === undefined) addRows(listed, rowsOfCode(order, codes, code))
    else for (let i = 0; i < mask.length; i++) listed[i] |= bits[i]
  }
  if (isInverted) andNotWith(mask, listed)
  else andWith(mask, listed)
  return true
}

/**
 * Returns the estimated cost of reading the rows of one code. Frequent codes have bitmaps instead of lists. The
 * estimate uses counts, since the row lists might have to be loaded from a file.
 */
function costOf(length: number, code: number, counts: Uint32Array, mask: Bitmap): number {
  return isFrequentIn(length, counts[code]) ? mask.length : counts[code]
}

function otherCodes(set: CodeSet, counts: Uint32Array): Uint32Array {
  const others: number[] = []
  for (let code = 0; code < counts.length; code++) if (counts[code] > 0 && set.passes[code] === 0) others.push(code)
  return Uint32Array.from(others)
}

function andWith(mask: Bitmap, other: Bitmap): void {
  for (let i = 0; i < mask.length; i++) mask[i] &= other[i]
}

function andNotWith(mask: Bitmap, other: Bitmap): void {
  for (let i = 0; i < mask.length; i++) mask[i] &= ~other[i]
}

/**
 * True if the counts of codes, or row lists in memory, show that no row of a segment can pass. False if they do not
 * show it.
 */
export function hasNoneOf(stored: StoredColumn, column: DictionaryColumn, set: CodeSet): boolean {
  const { hasOrder, counts } = stored
  if (counts !== undefined) {
    for (let i = 0; i < set.list.length && set.list[i] < counts.length; i++) if (counts[set.list[i]] > 0) return false
    return true
  }
  if (!hasOrder || set.list.length > MAX_LOOKUPS) return false
  return (
    stored.isOrderMade !== false &&
    set.list.every((code) => rowsOfCode(present(stored.order), column.codes, code).length === 0)
  )
}
