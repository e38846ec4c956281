import { MAX_NS, MIN_NS } from '../../../base/index.ts'
import {
  Instant,
  compileTest,
  parseNumber,
  toText,
  toTimeNs,
  type ValueTest,
  type ValueTestOf,
} from '../../../data/index.ts'
import { encodeNumber, type SqlValue } from '../../../store/sqlite/index.ts'
import { bound, compare, sqlAnd, sqlCall, sqlTrue, sqlOr, type SqlExpr } from '../statement/ast.ts'
import type { Cell } from '../cell.ts'
import { isEmptyCell, isNotEmptyCell, oneOf } from './tests-on-values.ts'

/**
 * Converts a bound of a range to a value that SQLite compares exactly; `undefined` for NaN and for integers beyond 64
 * bits.
 */
function exactBound(value: number | bigint): SqlValue | undefined {
  if (typeof value === 'bigint') return value >= MIN_NS && value <= MAX_NS ? value : undefined
  return value === value ? encodeNumber(value) : undefined
}

function range(c: Cell, test: ValueTestOf<'range'>): SqlExpr | undefined {
  const min = exactBound(test.min)
  const max = exactBound(test.max)
  if (min === undefined || max === undefined) return undefined
  return sqlAnd([
    min === -Infinity && test.isMinIncluded ? sqlTrue : compare(c.sql, test.isMinIncluded ? '>=' : '>', bound(min)),
    max === Infinity && test.isMaxIncluded ? sqlTrue : compare(c.sql, test.isMaxIncluded ? '<=' : '<', bound(max)),
  ])
}

/**
 * Returns all stored numbers that pass an equality or list test, by value or by text. `undefined` if they cannot be
 * listed.
 */
export function numbersEqualTo(test: ValueTestOf<'equals' | 'in'>): SqlValue[] | undefined {
  const holds = compileTest(test)
  const found = new Set<SqlValue>()
  for (const value of test.kind === 'equals' ? [test.value] : test.values) {
    const number = typeof value === 'number' || typeof value === 'bigint' ? value : parseNumber(toText(value))
    if (number === undefined || number !== number || !holds(number)) continue
    // Stored floats can equal integers beyond 2^53, so the test compares numerically.
    const native = exactBound(number)
    if (native === undefined) return undefined
    found.add(native)
  }
  return [...found]
}

function timesEqualTo(test: ValueTestOf<'equals' | 'in'>): SqlValue[] {
  const holds = compileTest(test)
  const found = new Set<SqlValue>()
  for (const value of test.kind === 'equals' ? [test.value] : test.values) {
    const ns = toTimeNs(value)
    if (ns !== undefined && holds(new Instant(ns))) found.add(ns)
  }
  return [...found]
}

/**
 * Compiles a comparison of a time with a bound. If the column's own representation is known, the comparison uses it so
 * that an index applies.
 */
export function timeBound({ sql, native }: Cell, op: '<' | '>=', ns: bigint): SqlExpr {
  if (native === undefined) return compare(sql, op, bound(ns))
  const { unitNs, make, spell } = native
  // Rounds a bound between two units up to the next unit, which changes nothing for times in whole units.
  const rest = ((ns % unitNs) + unitNs) % unitNs
  const wholeNs = rest === 0n ? ns : ns - rest + unitNs
  const steps = bound(spell === undefined ? wholeNs / unitNs : spell(wholeNs))
  return compare(native.sql, op, make === undefined ? steps : sqlCall(make, steps))
}

function timeRange(c: Cell, { range: { startNs, endNs } }: ValueTestOf<'time-range'>): SqlExpr {
  return sqlAnd([
    startNs === MIN_NS ? sqlTrue : timeBound(c, '>=', startNs),
    endNs === MAX_NS ? sqlTrue : timeBound(c, '<', endNs),
  ])
}

function equalsAny(
  c: Cell,
  test: ValueTestOf<'equals' | 'in'>,
  values: SqlValue[] | undefined,
  isPositive: boolean,
): SqlExpr | undefined {
  if (values === undefined) return undefined
  const takesEmpty = compileTest(test)(null)
  if (isPositive) return takesEmpty ? sqlOr([oneOf(c, values, false), isEmptyCell(c)]) : oneOf(c, values, false)
  return takesEmpty ? sqlAnd([isNotEmptyCell(c), oneOf(c, values, true)]) : oneOf(c, values, true)
}

/** Compiles a comparison for which missing values fail; negated unless `isPositive`, and then missing values pass. */
export function polar(c: Cell, holds: SqlExpr | undefined, isPositive: boolean): SqlExpr | undefined {
  if (holds === undefined) return undefined
  if (isPositive) return holds === sqlTrue ? isNotEmptyCell(c) : holds
  if (holds === sqlTrue) return isEmptyCell(c)
  return sqlOr([{ kind: 'not', arg: holds }, isEmptyCell(c)])
}

/**
 * Compiles a test of a column that has only numbers to a condition that is never NULL. `undefined` if plain SQL is not
 * exact.
 */
export function testOfNumber(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr | undefined {
  switch (test.kind) {
    case 'empty':
      return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
    case 'range':
      return polar(c, range(c, test), isPositive)
    case 'equals':
    case 'in':
      return equalsAny(c, test, numbersEqualTo(test), isPositive)
    default:
      return undefined
  }
}

/**
 * Compiles a test of a column of times in nanoseconds; negated unless `isPositive`. `undefined` when plain SQL is not
 * exact.
 */
export function testOfTime(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr | undefined {
  switch (test.kind) {
    case 'empty':
      return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
    case 'range':
      return polar(c, range(c, test), isPositive)
    case 'time-range':
      return polar(c, timeRange(c, test), isPositive)
    case 'equals':
    case 'in':
      return equalsAny(c, test, timesEqualTo(test), isPositive)
    default:
      return undefined
  }
}
