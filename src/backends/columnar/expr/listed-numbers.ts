import type { ValueTestOf } from '../../../data/index.ts'
import { listsAllRows, type StoredColumn, type TopEnd, type TopList } from '../../../store/index.ts'
import { closedRange } from './narrow-range.ts'

/**
 * Returns the rows of a whole segment whose number is in a range, the most extreme first, when the list of its highest
 * or lowest numbers contains all of them; `undefined` when one may be missing. No other number is read; with
 * `isHeldOnly` no list is read from a file. The result must not be changed.
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
  // A list is used for a range with a bound on its side; an unbounded range has most of the numbers.
  return (
    (low > -Infinity ? rowsUpTo(list('highest'), low, high, 1, numberCount) : undefined) ??
    (high < Infinity ? rowsUpTo(list('lowest'), -high, -low, -1, numberCount) : undefined)
  )
}

/** Returns the rows from `high` down to `low` of a list that is multiplied by `sign`, so that it descends. */
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
  // Of the rows that tie with the last one some may be missing.
  if (!listsAllRows(list, numberCount) && !(numbers[last] * sign < low)) return undefined
  let from = 0
  while (from <= last && numbers[from] * sign > high) from++
  let to = from
  while (to <= last && numbers[to] * sign >= low) to++
  return rows.subarray(from, to)
}
