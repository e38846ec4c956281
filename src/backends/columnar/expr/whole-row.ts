import { compileTest, valueAt, type Bitmap, type Column, type ValueTest } from '../../../data/index.ts'
import { testsField, type AnyField } from '../../../plan/index.ts'
import { OTHER_FIELDS, otherFieldOf, otherFieldsOf } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'
import { mapColumns } from './map-column.ts'
import { narrowRows } from './mask.ts'
import type { Predicate } from './predicate.ts'

/**
 * Returns a field with all of its values. In rows for which the table's limit of columns left the field without a
 * column, the value is stored in `OTHER_FIELDS`.
 */
export function wholeColumn(frame: Frame, name: string): Column {
  if (name === OTHER_FIELDS || !frame.has(OTHER_FIELDS)) return frame.column(name)
  return mapColumns([frame.column(name), frame.column(OTHER_FIELDS)], frame.rowCount, ([value = null, others = null]) =>
    value === null ? otherFieldOf(others, name) : value,
  )
}

/**
 * Makes a test of one field over all of its values, including those in `OTHER_FIELDS`. Indexes, zone maps and counts
 * cover only columns, so segments with `OTHER_FIELDS` are tested without these. Segment groups are not used, since they
 * do not show whether a segment has `OTHER_FIELDS`.
 */
export function wholeFieldTest(name: string, test: ValueTest, ofColumn: Predicate): Predicate {
  if (name === OTHER_FIELDS) return ofColumn
  const holds = compileTest(test)
  return {
    narrow: (frame, mask) => {
      if (!frame.has(OTHER_FIELDS)) return ofColumn.narrow(frame, mask)
      const own = frame.column(name)
      const others = frame.column(OTHER_FIELDS)
      return narrowRows(mask, (row) => holds(valueAt(own, row) ?? otherFieldOf(valueAt(others, row), name)))
    },
    cost: (frame) => (frame.has(OTHER_FIELDS) ? 200 : ofColumn.cost(frame)),
    isNone: (frame) => !frame.has(OTHER_FIELDS) && ofColumn.isNone?.(frame) === true,
  }
}

/**
 * Makes the predicate of an `AnyField` condition over all fields. Tests the fields stored in `OTHER_FIELDS` instead of
 * that column.
 */
export function wholeAnyField(expr: AnyField, ofColumns: Predicate): Predicate {
  const passes = compileTest(expr.test)
  const holds = (others: Column, row: number): boolean => {
    for (const [name, value] of otherFieldsOf(valueAt(others, row)))
      if (testsField(expr, name) && value !== null && passes(value)) return true
    return false
  }
  return {
    narrow: (frame, mask) => {
      if (!frame.has(OTHER_FIELDS)) return ofColumns.narrow(frame, mask)
      const others = frame.column(OTHER_FIELDS)
      const rest: Bitmap = mask.slice()
      ofColumns.narrow(frame.with([[OTHER_FIELDS, undefined]]), mask)
      for (let i = 0; i < rest.length; i++) rest[i] &= ~mask[i]
      narrowRows(rest, (row) => holds(others, row))
      for (let i = 0; i < rest.length; i++) mask[i] |= rest[i]
      return undefined
    },
    cost: (frame) => ofColumns.cost(frame),
  }
}
