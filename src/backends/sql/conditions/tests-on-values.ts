import { compileTest, type Value, type ValueTest } from '../../../data/index.ts'
import { encodeValue, type SqlValue } from '../../../store/sqlite/index.ts'
import {
  bound,
  compare,
  emptyText,
  isNotNull,
  isNull,
  sqlAnd,
  sqlFalse,
  sqlOr,
  sqlTrue,
  type SqlExpr,
} from '../statement/ast.ts'
import type { Cell } from '../cell.ts'
import { MAX_TEST_VALUES } from '../tuning.ts'

/**
 * An encoded value that is never stored. A comparison with it is always false, but has the same SQL as one with a real
 * value.
 */
const NEVER_STORED = new Uint8Array(0)

/**
 * Compiles whether a cell equals one of the values, or none of them with `isNegated`. For a missing cell the first
 * gives NULL, the second true.
 */
export function oneOf(c: Cell, values: readonly SqlValue[], isNegated: boolean): SqlExpr {
  if (values.length <= 1) {
    // For an empty list, compares with a value that is never stored, so that the SQL does not depend on the user's
    // list.
    const [only = NEVER_STORED] = values
    const value = bound(only)
    return compare(c.sql, isNegated ? (c.facts.hasMissing ? 'IS NOT' : '<>') : '=', value)
  }
  const list: SqlExpr = { kind: 'in', arg: c.sql, values, isNegated }
  return isNegated && c.facts.hasMissing ? sqlOr([isNull(c.sql), list]) : list
}

export function isEmptyCell(c: Cell): SqlExpr {
  return sqlOr([
    c.facts.hasMissing ? isNull(c.sql) : sqlFalse,
    c.facts.hasEmpty ? compare(c.sql, '=', emptyText) : sqlFalse,
  ])
}

export function isNotEmptyCell(c: Cell): SqlExpr {
  // `x <> ''` is NULL for a missing x, so no separate NULL test is needed.
  return c.facts.hasEmpty ? compare(c.sql, '<>', emptyText) : c.facts.hasMissing ? isNotNull(c.sql) : sqlTrue
}

/**
 * Compiles a test of a column whose possible values are all known. Each value is tested at compile time, so the
 * statement only compares with the values that pass. Exact for every kind of test.
 */
export function testOfKnownValues(c: Cell, values: readonly Value[], test: ValueTest, isPositive: boolean): SqlExpr {
  const holds = compileTest(test)
  const wanted: SqlValue[] = []
  const others: SqlValue[] = []
  for (const value of values) {
    if (value !== '') (holds(value) === isPositive ? wanted : others).push(encodeValue(value))
  }
  const takesEmpty = holds(null) === isPositive
  const [own, other] = isPositive ? [wanted, others] : [others, wanted]
  const isOwnList = own.length <= MAX_TEST_VALUES || own.length <= other.length
  if (isOwnList === isPositive) {
    const listed = oneOf(c, wanted, false)
    return takesEmpty ? sqlOr([listed, isEmptyCell(c)]) : listed
  }
  const unlisted = oneOf(c, others, true)
  return takesEmpty ? unlisted : sqlAnd([isNotEmptyCell(c), unlisted])
}
