import { Instant, toNumber, type Labels, type Value as Cell } from '../../data/index.ts'

/** A number, or `undefined` for no value: null, or text that is no number. NaN and infinities are values. */
export type Value = number | undefined

/** The number of one label set, such as a group of a query. */
export interface LabelledValue {
  readonly labels: Labels
  readonly value: Value
}

/**
 * Returns the number of a cell: text without the blanks around it by the coercions of the log language, true as 1, a time as its Unix seconds. Lists,
 * objects, other texts and NaN, which answers write as null, are no value (M13, M14).
 */
export function valueOfCell(cell: Cell): Value {
  if (typeof cell === 'number') return Number.isNaN(cell) ? undefined : cell
  if (typeof cell === 'boolean') return cell ? 1 : 0
  if (cell instanceof Instant) return Number(cell.ns) / 1e9
  const number = toNumber(typeof cell === 'string' ? cell.trim() : cell)
  return number === undefined ? undefined : Number(number)
}
