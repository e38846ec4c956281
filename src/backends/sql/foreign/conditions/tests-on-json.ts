import {
  compileTest,
  fold,
  mayBeNumber,
  parseNumber,
  toText,
  wordNeeds,
  type Value,
  type ValueTest,
  type ValueTestOf,
} from '../../../../data/index.ts'
import { bound, compare, sqlAnd, sqlCall, sqlNot, sqlOr, type SqlExpr } from '../../statement/ast.ts'
import { anything, cell, type Cell } from '../../cell.ts'
import type { Dialect, ForeignWords } from '../../dialect.ts'
import { roundsTo } from './rounding.ts'
import type { Said } from './phrases.ts'
import { isExactFloat } from './tests-on-numbers.ts'
import { textTest } from './tests-on-text.ts'

const SEVERAL_KINDS = 'its values are of several kinds'
const NUMBERS = 'numbers among its values are written in another way'

/**
 * Compiles the conversion of each JSON value to a string. The string equals Sluice's except for numbers, which the
 * database may write as `5.0`.
 */
function textsOf({ sql }: Cell, dialect: Dialect): Cell {
  const isMember = sql.kind === 'column' && sql.path !== undefined
  const text: SqlExpr = isMember ? { ...sql, holds: 'json-text' } : sqlCall('text-of-json', sql)
  return cell(dialect.functions['in-bytes'] === undefined ? text : sqlCall('in-bytes', text), 'text', anything)
}

/** Matches words that may occur in some notation of a number. */
const MAY_BE_IN_A_NUMBER = /^[\dinfae]*$/

/** True if no number can pass the test in any notation. */
function isNeverOfNumbers(test: ValueTest): boolean {
  if (test.kind === 'contains-any') {
    return test.phrases.every((phrase) => isNeverOfNumbers({ ...test, kind: 'contains-all', phrases: [phrase] }))
  }
  return wordNeeds(test).some(({ word }) => !MAY_BE_IN_A_NUMBER.test(fold(word)))
}

/** The characters with which some notation of a number can begin. */
const FIRSTS = Array.from('+-0123456789I')

/**
 * True if the first character alone decides the test, with the same result for all characters with which numbers can
 * begin.
 */
function goesByFirst(test: ValueTest): boolean {
  if (test.kind !== 'regexp' || !/^\^\[[^\]\\]+\]$/.test(test.pattern)) return false
  const holds = compileTest(test)
  return new Set(FIRSTS.map((first) => holds(first))).size === 1
}

/** Compiles a condition on JSON numbers for each wanted value: the double nearest to the number equals the value. */
function numbersAre(c: Cell, wanted: readonly number[], dialect: Dialect): readonly SqlExpr[] {
  if (dialect.functions['number-of-json'] !== undefined) {
    const number = sqlCall('number-of-json', c.sql)
    return wanted.map((value) => compare(number, '=', bound(value)))
  }
  return wanted.map((value) => {
    const { min, max, isIncluded } = roundsTo(value)
    const [above, below] = isIncluded ? (['>=', '<='] as const) : (['>', '<'] as const)
    const side = (op: typeof above | typeof below, text: string | undefined): readonly SqlExpr[] =>
      text === undefined ? [] : [compare(c.sql, op, sqlCall('json-of-number', bound(text)))]
    return sqlAnd([sqlCall('is-json-number', c.sql), ...side(above, min), ...side(below, max)])
  })
}

/** Compiles an equality or list test of JSON values: strings are compared by characters, numbers by value. */
function equalsAny(
  c: Cell,
  test: ValueTestOf<'equals' | 'in'>,
  isPositive: boolean,
  dialect: Dialect,
  words: ForeignWords,
): Said {
  const values: readonly Value[] = test.kind === 'equals' ? [test.value] : test.values
  const numbers = values.flatMap((value) => {
    const number = typeof value === 'number' || typeof value === 'bigint' ? value : parseNumber(toText(value))
    return number === undefined ? [] : [number]
  })
  // An untyped test compares the strings of numbers, in which `5.0` differs from `5` and 0 from -0.
  const isPlain = (number: number | bigint): boolean =>
    Number(number) !== 0 && values.some((value) => toText(value) === toText(number))
  if (!test.isTyped && !numbers.every(isPlain)) return NUMBERS
  const wanted = [...new Set(numbers.filter((number) => number === number && isExactFloat(number)).map(Number))]
  const said = textTest(textsOf(c, dialect), test, true, dialect, words)
  if (typeof said === 'string') return said
  const holds = sqlOr([said, ...numbersAre(c, wanted, dialect)])
  return isPositive ? holds : sqlNot(sqlCall('is-true', holds))
}

/**
 * Compiles a condition that is true for every JSON number in the range, for every string that may be such a number, and
 * perhaps for a few other values.
 */
function looseRange(c: Cell, { min, max }: ValueTestOf<'range'>, dialect: Dialect, words: ForeignWords): Said {
  const texts = textTest(textsOf(c, dialect), mayBeNumber, true, dialect, words)
  if (typeof texts === 'string') return texts
  const [from, to] = [Number(min), Number(max)]
  const isText = sqlCall('is-json-text', c.sql)
  return sqlOr([sqlAnd(numbersWithin(c, from, to, dialect)), sqlAnd([isText, texts])])
}

function numbersWithin(c: Cell, from: number, to: number, dialect: Dialect): readonly SqlExpr[] {
  if (dialect.functions['number-of-json'] !== undefined) {
    const number = sqlCall('number-of-json', c.sql)
    return [compare(number, '>=', bound(from)), compare(number, '<=', bound(to))]
  }
  const side = (op: '>=' | '<=', text: string | undefined): readonly SqlExpr[] =>
    text === undefined ? [] : [compare(c.sql, op, sqlCall('json-of-number', bound(text)))]
  return [sqlCall('is-json-number', c.sql), ...side('>=', roundsTo(from).min), ...side('<=', roundsTo(to).max)]
}

/**
 * Compiles a test of JSON values, each by its own type. Returns a reason if the database cannot compute the test
 * exactly.
 */
export function jsonTest(c: Cell, test: ValueTest, isPositive: boolean, dialect: Dialect, words: ForeignWords): Said {
  if (c.facts.isJson !== true || dialect.functions['text-of-json'] === undefined) return SEVERAL_KINDS
  if (test.kind === 'empty' || isNeverOfNumbers(test) || goesByFirst(test)) {
    return textTest(textsOf(c, dialect), test, isPositive, dialect, words)
  }
  const isAnyNumber =
    test.kind === 'range' && Number(test.min) === Number(test.min) && Number(test.max) === Number(test.max)
  if (isAnyNumber && isPositive && test.isLoose === true) return looseRange(c, test, dialect, words)
  return test.kind === 'equals' || test.kind === 'in' ? equalsAny(c, test, isPositive, dialect, words) : NUMBERS
}
