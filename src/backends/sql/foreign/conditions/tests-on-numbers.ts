import { MAX_INT64, MIN_INT64 } from '../../../../base/index.ts'
import { compileTest, type ValueTest, type ValueTestOf } from '../../../../data/index.ts'
import { bound, compare, sqlAnd, sqlCall, sqlFalse, sqlNot, sqlOr, sqlTrue, type SqlExpr } from '../../statement/ast.ts'
import { cell, type Cell } from '../../cell.ts'
import type { Dialect, ForeignWords } from '../../dialect.ts'
import { numbersEqualTo, polar } from '../../conditions/tests-on-numbers.ts'
import { isEmptyCell, isNotEmptyCell } from '../../conditions/tests-on-values.ts'
import type { Said } from './phrases.ts'
import { textTest } from './tests-on-text.ts'

function integerBound(value: number | bigint, isMin: boolean, isIncluded: boolean): bigint | undefined {
  if (typeof value === 'bigint') return isIncluded ? value : isMin ? value + 1n : value - 1n
  if (!Number.isFinite(value)) return undefined
  const whole = BigInt(isMin ? Math.ceil(value) : Math.floor(value))
  if (isIncluded || !Number.isInteger(value)) return whole
  return isMin ? whole + 1n : whole - 1n
}

/**
 * Compiles a range test of whole numbers. Fractional bounds are replaced by whole ones, so that the database rounds
 * nothing.
 */
function integerRange(c: Cell, test: ValueTestOf<'range'>): SqlExpr {
  const { min, max, isMinIncluded, isMaxIncluded } = test
  if (min !== min || max !== max || min === Infinity || max === -Infinity) return sqlFalse
  const from = integerBound(min, true, isMinIncluded)
  const to = integerBound(max, false, isMaxIncluded)
  if ((from !== undefined && from > MAX_INT64) || (to !== undefined && to < MIN_INT64)) return sqlFalse
  return sqlAnd([
    from === undefined || from <= MIN_INT64 ? sqlTrue : compare(c.sql, '>=', bound(from)),
    to === undefined || to >= MAX_INT64 ? sqlTrue : compare(c.sql, '<=', bound(to)),
  ])
}

/** True if the bounds of a range fit in 64 bits, so that integers of wider types can be compared with them exactly. */
function isWithin64Bits({ min, max }: ValueTestOf<'range'>): boolean {
  return [min, max].every((each) =>
    typeof each === 'number'
      ? Math.abs(each) < 2 ** 63 || Math.abs(each) === Infinity
      : each > MIN_INT64 && each < MAX_INT64,
  )
}

/** True if a 64-bit float represents the number exactly. */
export function isExactFloat(value: number | bigint): boolean {
  return typeof value === 'number' || BigInt(Number(value)) === value
}

/**
 * Compiles a range test of floats. NaN is in no range, although many databases treat it as the largest number.
 * `isNaNKnown`: the database's comparisons are false for NaN, so a comparison needs no NaN test.
 */
function floatRange(c: Cell, test: ValueTestOf<'range'>, isNaNKnown: boolean): Said {
  const { min, max, isMinIncluded, isMaxIncluded } = test
  if (!isExactFloat(min) || !isExactFloat(max)) return 'no float is this bound'
  if (min !== min || max !== max) return sqlFalse
  const hasMin = !(min === -Infinity && isMinIncluded)
  const hasMax = !(max === Infinity && isMaxIncluded)
  return sqlAnd([
    hasMin ? compare(c.sql, isMinIncluded ? '>=' : '>', bound(Number(min))) : sqlTrue,
    hasMax ? compare(c.sql, isMaxIncluded ? '<=' : '<', bound(Number(max))) : sqlTrue,
    isNaNKnown && (hasMin || hasMax) ? sqlTrue : sqlNot(sqlCall('is-nan', c.sql)),
  ])
}

/**
 * Returns a function that tests whether a column of whole numbers can hold a value. Other values must be omitted, since
 * databases reject numbers beyond all their types.
 */
function fitsColumn(kind: Cell['facts']['number']): (value: bigint) => boolean {
  const bits = kind === 'integer' ? 64 : 127
  return (value) => BigInt.asIntN(bits, value) === value
}

export function numberTest(c: Cell, test: ValueTest, isPositive: boolean, dialect: Dialect, words: ForeignWords): Said {
  const kind = c.facts.number
  if (kind === undefined) return 'its numbers are of several kinds'
  switch (test.kind) {
    case 'empty':
      return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
    case 'range': {
      if (kind === 'wide' && !isWithin64Bits(test)) return 'its bounds lie beyond 64 bits'
      const range =
        kind === 'integer' || kind === 'wide'
          ? integerRange(c, test)
          : floatRange(c, test, isPositive && words.comparesNoNaN === true)
      return typeof range === 'string' ? range : (polar(c, range, isPositive) ?? range)
    }
    case 'equals':
    case 'in': {
      const found = numbersEqualTo(test)
      if (found === undefined) return 'no float is this number'
      const holds = compileTest(test)
      const numbers = found.filter((value) => typeof value === 'number' || typeof value === 'bigint')
      const wanted =
        kind === 'float'
          ? numbers.filter(isExactFloat).map(Number)
          : numbers
              .filter((value) => Number.isInteger(Number(value)))
              .map(BigInt)
              .filter(fitsColumn(kind))
      const listed: SqlExpr[] = []
      const [only] = wanted
      if (wanted.length === 1 && only !== undefined) listed.push(compare(c.sql, '=', bound(only)))
      else if (wanted.length > 0) listed.push({ kind: 'in', arg: c.sql, values: wanted, isNegated: false })
      if (kind === 'float' && holds(NaN)) listed.push(sqlCall('is-nan', c.sql))
      const said = sqlOr(listed)
      const takesEmpty = holds(null)
      if (isPositive) return takesEmpty ? sqlOr([said, isEmptyCell(c)]) : said
      if (said === sqlFalse) return takesEmpty ? isNotEmptyCell(c) : sqlTrue
      return takesEmpty ? sqlAnd([isNotEmptyCell(c), sqlNot(said)]) : sqlOr([sqlNot(said), isEmptyCell(c)])
    }
    default: {
      if (kind === 'float') return 'it writes floats in another way'
      const facts = { ...c.facts, hasEmpty: false, hasUnfolded: false, hasOddFold: false }
      return textTest(cell(sqlCall('as-text', c.sql), 'text', facts), test, isPositive, dialect, words)
    }
  }
}
