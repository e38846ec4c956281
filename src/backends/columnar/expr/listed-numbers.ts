import type { ValueTestOf } from '../../../data/index.ts'
import { listsAllRows, type StoredColumn, type TopEnd, type TopList } from '../../../store/index.ts'
import { closedRange } from './narrow-range.ts'

/**
 * The rows of a whole segment whose number is in a range, the furthest out first, where the list of its highest or lowest numbers has all
 * of them; `undefined` where one may be missing. No other number is looked at; with `isHeldOnly` no list that is not in memory either. Not to
 * be changed.
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
  // A list is read for a range that has an end on its side: one without is most of the numbers.
  return (
    (low > -Infinity ? rowsUpTo(list('highest'), low, high, 1, numberCount) : undefined) ??
    (high < Infinity ? rowsUpTo(list('lowest'), -high, -low, -1, numberCount) : undefined)
  )
}

/** Of a list that is turned round by `sign`, so that it falls: the rows from `high` down to `low`. */
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
  // Of those that tie with the last one some may be missing.
  if (!listsAllRows(list, numberCount) && !(numbers[last] * sign < low)) return undefined
  let from = 0
  while (from <= last && numbers[from] * sign > high) from++
  let to = from
  while (to <= last && numbers[to] * sign >= low) to++
  return rows.subarray(from, to)
}
