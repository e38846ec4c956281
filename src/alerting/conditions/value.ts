import { Instant, toNumber, type Labels, type Value as Cell } from '../../data/index.ts'

/** A number; `undefined` for no value: null, or text that is not a number. NaN and infinities are values. */
export type Value = number | undefined

/** The value of a label set, such as a group of a query. */
export interface LabelledValue {
  readonly labels: Labels
  readonly value: Value
}

/**
 * Converts a cell to a number: text is trimmed and converted as in the log language, true is 1, a time is its Unix
 * seconds. Lists, objects, other text, and NaN (which JSON answers write as null) are no value (M13, M14).
 */
export function valueOfCell(cell: Cell): Value {
  if (typeof cell === 'number') return Number.isNaN(cell) ? undefined : cell
  if (typeof cell === 'boolean') return cell ? 1 : 0
  if (cell instanceof Instant) return Number(cell.ns) / 1e9
  const number = toNumber(typeof cell === 'string' ? cell.trim() : cell)
  return number === undefined ? undefined : Number(number)
}
