import type { ValueTestOf } from '../../../data/index.ts'
import { listsAllRows, type StoredColumn, type TopEnd, type TopList } from '../../../store/index.ts'
import { closedRange } from './narrow-range.ts'

/**
 * Returns the rows of a whole segment whose number is in the range, the most extreme first, from its list of highest or
 * lowest numbers. `undefined` when such a list does not contain all of them. Other numbers are not read. With
 * `isHeldOnly`, lists that are not in memory are not used. The result must not be changed.
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
  // The highest list serves ranges with a lower bound, and vice versa. A range without that bound contains most
  // numbers, more than a list has.
  return (
    (low > -Infinity ? rowsUpTo(list('highest'), low, high, 1, numberCount) : undefined) ??
    (high < Infinity ? rowsUpTo(list('lowest'), -high, -low, -1, numberCount) : undefined)
  )
}

/**
 * Returns the listed rows with numbers from `low` to `high`. The list descends after multiplication by `sign`.
 * `undefined` when the list may be incomplete for this range.
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
