import { compareRankedBy, rankOf, valueAt, type Column, type Dictionary, type Ranked } from '../../../data/index.ts'

type Direction = 'asc' | 'desc'

/** The sort key of the last row that is still wanted. Rows that sort after it cannot be among the first ones. */
export interface Bound {
  readonly rank: Ranked
  readonly direction: Direction
  /**
   * True if rows with exactly this key are still wanted, because further sort keys may order them before the last
   * wanted row.
   */
  readonly keepsTies: boolean
}

export function boundOf(column: Column, row: number, direction: Direction, keepsTies: boolean): Bound {
  return { rank: rankOf(valueAt(column, row)), direction, keepsTies }
}

/**
 * Returns a cached array with 1 for each dictionary code that sorts after a bound; `undefined` if none is cached.
 * Bounds only get tighter, so a 1 stays valid.
 */
export type BeyondOf = (dictionary: Dictionary) => Uint8Array | undefined

/**
 * Returns the row numbers of a column that do not sort after a bound, ascending. Each dictionary entry is compared
 * once.
 */
export function rowsWithin(column: Column, { rank, direction, keepsTies }: Bound, beyondOf?: BeyondOf): Uint32Array {
  const most = keepsTies ? 0 : -1
  const compared = (row: number): number => compareRankedBy(rankOf(valueAt(column, row)), rank, direction)
  const rows = new Uint32Array(column.length)
  let count = 0
  if (column.kind === 'dictionary') {
    const beyond = beyondOf?.(column.dictionary)
    const known = new Map<number, number>()
    for (let row = 0; row < column.length; row++) {
      const code = column.codes[row] ?? 0
      if (beyond?.[code] === 1) continue
      let is = known.get(code)
      if (is === undefined) {
        is = compared(row)
        known.set(code, is)
        if (is > 0 && beyond !== undefined) beyond[code] = 1
      }
      if (is <= most) rows[count++] = row
    }
  } else for (let row = 0; row < column.length; row++) if (compared(row) <= most) rows[count++] = row
  return rows.subarray(0, count)
}
