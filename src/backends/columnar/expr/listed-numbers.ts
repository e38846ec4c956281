import type { ValueTestOf } from '../../../data/index.ts'
import { listsAllRows, type StoredColumn, type TopEnd, type TopList } from '../../../store/index.ts'
import { closedRange } from './narrow-range.ts'

/**
 * Returns the rows of a whole segment whose number is in the range, the most extreme first, from the segment's list of
 * highest or lowest numbers. Reads no other numbers. `undefined` if neither list contains all such rows. With
 * `isHeldOnly`, only lists that are in memory are used. The caller must not change the result.
 */
export function listedInRange(
  stored: StoredColumn,
  test: ValueTestOf<'range'>,
  isHeldOnly = false,
): Uint16Array | undefined {
  const { column, tops, missingCount } = stored
  const closed = closedRange(test)
  if (tops === undefined || closed === undefined || column.kind !== 'float64') return undefined
  const [low, high] = closed
  const numberCount = column.length - missingCount
  const list = (end: TopEnd): TopList | undefined =>
    isHeldOnly && tops.isHeld?.(end) === false ? undefined : tops[end]
  // The highest list serves ranges with a lower bound, the lowest list those with an upper bound. A range without the
  // matching bound contains more numbers than a list has.
  return (
    (low > -Infinity ? rowsUpTo(list('highest'), low, high, 1, numberCount) : undefined) ??
    (high < Infinity ? rowsUpTo(list('lowest'), -high, -low, -1, numberCount) : undefined)
  )
}

/**
 * Returns the rows of `list` whose number, multiplied by `sign`, is between `low` and `high`. The list descends by the
 * multiplied numbers. `undefined` if rows of this range may be missing from the list.
 */
function rowsUpTo(
  list: TopList | undefined,
  low: number,
  high: number,
  sign: 1 | -1,
  numberCount: number,
): Uint16Array | undefined {
  if (list === undefined) return undefined
  const { rows, numbers } = list
  const last = numbers.length - 1
  // Rows that tie with the last listed one may be missing from the list.
  if (!listsAllRows(list, numberCount) && !(numbers[last] * sign < low)) return undefined
  let from = 0
  while (from <= last && numbers[from] * sign > high) from++
  let to = from
  while (to <= last && numbers[to] * sign >= low) to++
  return rows.subarray(from, to)
}
