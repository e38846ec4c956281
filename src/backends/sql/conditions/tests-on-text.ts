import { compileTest, fold, toText, type ValueTest, type ValueTestOf } from '../../../data/index.ts'
import { bound, compare, sqlAnd, sqlDeny, sqlCall, sqlColumn, sqlOr, sqlTrue, type SqlExpr } from '../statement/ast.ts'
import type { Cell } from '../cell.ts'
import { isEmptyCell, isNotEmptyCell, oneOf } from './tests-on-values.ts'

/**
 * Compiles a test of a string column to plain SQL that is exact for non-empty strings; `undefined` if there is none.
 * Strings are UTF-8 and compare by bytes, in code point order. SQLite's case conversion is used only for ASCII.
 */
function onPresentText(c: Cell, test: ValueTest): SqlExpr | undefined {
  switch (test.kind) {
    case 'equals':
      return equalsAny(c, [toText(test.value)], test.isFolded)
    case 'in':
      return equalsAny(c, test.values.map(toText), test.isFolded)
    case 'starts-with':
      return startsWith(c, test)
    case 'contains':
      return contains(c, test)
    case 'compare-text':
      return test.text.isWellFormed() ? compare(c.sql, OPS[test.op], bound(test.text)) : undefined
    case 'string-range':
      if (!test.min.isWellFormed() || !test.max.isWellFormed()) return undefined
      return sqlAnd([compare(c.sql, '>=', bound(test.min)), compare(c.sql, '<', bound(test.max))])
    default:
      return undefined
  }
}

const OPS = { lt: '<', le: '<=', gt: '>', ge: '>=' } as const

function equalsAny(c: Cell, texts: readonly string[], isFolded: boolean): SqlExpr | undefined {
  const wanted = new Set(isFolded ? texts.map(fold) : texts)
  // No stored SQL text has an unpaired surrogate.
  const native = [...wanted].filter((text) => text !== '' && text.isWellFormed())
  if (!isFolded || !c.facts.hasUnfolded) return oneOf(c, native, false)
  const { stored } = c
  if (stored === undefined || stored.column.isText) return undefined
  // The table of variants lists stored strings that equal other ones regardless of case.
  const variants: SqlExpr = {
    kind: 'in-select',
    arg: c.sql,
    isNegated: false,
    select: {
      kind: 'select',
      columns: [{ expr: sqlColumn('v', 'value'), name: 'value' }],
      from: { kind: 'variants', alias: 'v' },
      where: [
        compare(sqlColumn('v', 'table_name'), '=', bound(stored.base.layout.definition.name)),
        compare(sqlColumn('v', 'field'), '=', bound(stored.column.field.name)),
        oneOf({ ...c, sql: sqlColumn('v', 'folded') }, native, false),
      ],
      groupBy: undefined,
      having: [],
      orderBy: [],
      limit: undefined,
      offset: 0,
    },
  }
  return sqlOr([oneOf(c, native, false), variants])
}

/** Returns the smallest string above all strings with this prefix; `undefined` if there is none. */
export function textAfter(prefix: string): string | undefined {
  const points = Array.from(prefix, (char) => char.codePointAt(0) ?? 0)
  while (points.length > 0) {
    const last = points.pop() ?? 0
    if (last < 0x10ffff) {
      const next = last === 0xd7ff ? 0xe000 : last + 1
      return String.fromCodePoint(...points, next)
    }
  }
  return undefined
}

function startsWith(c: Cell, test: ValueTestOf<'starts-with'>): SqlExpr | undefined {
  if (test.isFolded && c.facts.hasUnfolded) return undefined
  const prefix = test.isFolded ? fold(test.text) : test.text
  if (prefix === '' || !prefix.isWellFormed()) return undefined
  const after = textAfter(prefix)
  const from = compare(c.sql, '>=', bound(prefix))
  return after === undefined ? from : sqlAnd([from, compare(c.sql, '<', bound(after))])
}

const ASCII = /^[\0-\x7f]*$/
/** ASCII letters that are the lower case of a character beyond ASCII too. */
const ODD_LETTER = /[ik]/

function contains(c: Cell, test: ValueTestOf<'contains'>): SqlExpr | undefined {
  const part = test.isFolded ? fold(test.text) : test.text
  if (part === '' || !part.isWellFormed() || part.includes('\0')) return undefined
  if (!test.isFolded || !c.facts.hasUnfolded) return sqlCall('contains-text', c.sql, bound(part))
  if (!ASCII.test(part) || (c.facts.hasOddFold && ODD_LETTER.test(part))) return undefined
  return sqlCall('contains-text', sqlCall('lower-ascii', c.sql), bound(part))
}

/** Compiles a test of a string column to a condition that is never NULL. `undefined` when plain SQL is not exact. */
export function testOfText(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr | undefined {
  if (test.kind === 'empty') return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
  const holds = onPresentText(c, test)
  return holds === undefined ? undefined : totalTest(c, test, holds, isPositive)
}

/** Extends a condition that is exact for non-empty strings to missing values and `''`. Negated unless `isPositive`. */
export function totalTest(c: Cell, test: ValueTest, holds: SqlExpr, isPositive: boolean): SqlExpr {
  const takesEmpty = compileTest(test)('')
  if (isPositive) return takesEmpty ? sqlOr([holds, isEmptyCell(c)]) : sqlAnd([guardAgainstEmpty(c, test), holds])
  if (!takesEmpty && holds.kind === 'compare' && holds.op === '=') {
    return { ...holds, op: c.facts.hasMissing ? 'IS NOT' : '<>' }
  }
  const fails = sqlDeny(holds)
  return takesEmpty ? sqlAnd([isNotEmptyCell(c), fails]) : sqlOr([fails, isEmptyCell(c)])
}

/** Returns a condition that excludes `''` from comparisons that `''` would pass in SQL although it fails the test. */
function guardAgainstEmpty(c: Cell, test: ValueTest): SqlExpr {
  return test.kind === 'compare-text' || test.kind === 'string-range' ? isNotEmptyCell(c) : sqlTrue
}
