import { compareRankedBy, rankOf, valueAt, type Column, type Dictionary, type Ranked } from '../../../data/index.ts'

type Direction = 'asc' | 'desc'

/** A key that so many rows precede or equal that no worse row can be among the first. */
export interface Bound {
  readonly rank: Ranked
  readonly direction: Direction
  /** Whether later rows with the same key may still precede it by further keys. */
  readonly keepsTies: boolean
}

export function boundOf(column: Column, row: number, direction: Direction, keepsTies: boolean): Bound {
  return { rank: rankOf(valueAt(column, row)), direction, keepsTies }
}

/** Returns for each code of a dictionary 1 when it is beyond a bound, and so beyond every tighter one. */
export type BeyondOf = (dictionary: Dictionary) => Uint8Array | undefined

/** Returns the rows of a column within a bound, in their order; an entry of a dictionary is compared once. */
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
