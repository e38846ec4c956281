import {
  compileTest,
  fold,
  isWordAt,
  isWordBefore,
  parseNumber,
  toText,
  wordNeeds,
  type Value,
  type ValueTest,
} from '../../../data/index.ts'
import { encodeNumber, type SqlValue } from '../../../store/sqlite/index.ts'
import {
  bound,
  compare,
  sqlAnd,
  sqlCall,
  sqlNot,
  sqlOr,
  sqlTrue,
  type OrderTerm,
  type SqlExpr,
} from '../statement/ast.ts'
import type { Host } from '../block.ts'
import { mayBeNull, withoutEmpty, type Cell } from '../cell.ts'
import { plainTest } from '../conditions/cell-test.ts'
import { beginningsOf } from '../foreign/conditions/spellings.ts'
import { hostTest, sqliteHost } from '../sqlite-host.ts'
import { textAfter, totalTest } from '../conditions/tests-on-text.ts'
import { wordRowsOf } from './words.ts'
import { MAX_FLAT_TERMS, MAX_TEST_VALUES } from '../tuning.ts'

/** Returns the table column whose value a cell is, unchanged; `undefined` if the cell computes its value. */
export function columnOf({ sql }: Cell): SqlExpr | undefined {
  if (sql.kind === 'column') return sql
  return sql.kind === 'call' && sql.name === 'host-native' ? sql.args[0] : undefined
}

/**
 * Returns all values that a column may store and whose text equals this value: a string, a number, or bytes (as text or
 * as hexadecimal digits).
 */
function storedAs(value: Value): readonly SqlValue[] {
  const text = toText(value)
  const number = Number(text)
  const stored: SqlValue[] = [text, Buffer.from(text)]
  if (text.trim() !== '' && Number.isFinite(number)) stored.push(encodeNumber(number))
  if (/^(?:[0-9a-f]{2})+$/.test(text)) stored.push(Buffer.from(text, 'hex'))
  for (const limit of [Infinity, -Infinity]) if (text === toText(limit)) stored.push(limit)
  if (/^-?\d{16,19}$/.test(text)) {
    const whole = BigInt(text)
    if (whole === BigInt.asIntN(64, whole)) stored.push(whole)
  }
  return stored
}

/**
 * Compiles an equality or list test to a comparison of the bare column, which can use an index. True for every row that
 * passes the test, and perhaps for others. `undefined` if there is no such comparison.
 */
function lookUp(c: Cell, test: ValueTest): SqlExpr | undefined {
  const column = columnOf(c)
  if (column === undefined || (test.kind !== 'equals' && test.kind !== 'in') || test.isFolded) return undefined
  const values = test.kind === 'equals' ? [test.value] : test.values
  // Queries treat NULL as `''`, but an SQL comparison never finds NULL.
  if (values.length === 0 || values.length > MAX_TEST_VALUES || values.some((value) => toText(value) === ''))
    return undefined
  if (values.some((value) => typeof value !== 'string' && typeof value !== 'number')) return undefined
  // In a typed test, different notations of a number are equal. A list of stored values cannot contain them all.
  if (test.isTyped && values.some((value) => parseNumber(toText(value)) !== undefined)) return undefined
  if (!values.every((value) => toText(value).isWellFormed())) return undefined
  return { kind: 'in', arg: column, values: values.flatMap(storedAs), isNegated: false }
}

/**
 * Compiles whether a string is ASCII without NUL characters: `length` stops at NUL and counts characters,
 * `octet-length` counts all bytes.
 */
const isPlain = (sql: SqlExpr): SqlExpr => compare(sqlCall('length', sql), '=', sqlCall('octet-length', sql))

const ASCII = /^[\t-\x7f]*$/

/**
 * Compiles a condition for strings that begin like a lower-case string, regardless of case. It compares ranges of the
 * column, so an index can be used.
 */
function beginsLike(sql: SqlExpr, text: string): SqlExpr {
  const ranges = beginningsOf(text, MAX_FLAT_TERMS).map((beginning) => {
    const after = textAfter(beginning)
    return sqlAnd([
      compare(sql, '>=', bound(beginning)),
      after === undefined ? sqlTrue : compare(sql, '<', bound(after)),
    ])
  })
  return ranges.length === 0 ? sqlTrue : sqlOr(ranges)
}

/**
 * Compiles a test that ignores case. SQLite's `lower` converts only ASCII, so plain SQL decides ASCII strings. `i` and
 * `k` are also the lower case of two letters beyond ASCII: if the searched string contains `i` or `k`, host functions
 * (code of Sluice) test strings beyond ASCII.
 */
function onFoldedText(c: Cell, test: ValueTest): SqlExpr | undefined {
  if (test.kind !== 'equals' && test.kind !== 'in' && test.kind !== 'contains') return undefined
  if (!test.isFolded) return undefined
  const wanted = (
    test.kind === 'contains' ? [test.text] : test.kind === 'equals' ? [toText(test.value)] : test.values.map(toText)
  ).map(fold)
  const [only] = wanted
  if (only === undefined || wanted.some((text) => text === '' || !ASCII.test(text))) return undefined
  const lowered = sqlCall('lower-ascii', c.sql)
  const begins = test.kind !== 'contains' && wanted.length === 1 ? beginsLike(c.sql, only) : sqlTrue
  const holds: SqlExpr =
    test.kind === 'contains'
      ? sqlCall('contains-text', lowered, bound(only))
      : { kind: 'in', arg: lowered, values: wanted, isNegated: false }
  const surely = sqlAnd([begins, holds])
  if (wanted.every((text) => !/[ik]/.test(text))) return surely
  return sqlOr([surely, sqlAnd([begins, sqlNot(isPlain(c.sql)), hostTest(c, test, true)])])
}

/** Maximum length of a LIKE or GLOB pattern, characters; SQLite allows 50,000 bytes. */
const MAX_PATTERN = 10_000

const EDGE = '[^0-9A-Za-z_]'

/**
 * Compiles a search for a substring or phrase in ASCII strings to LIKE and GLOB patterns, without host functions.
 * `undefined` for other tests.
 */
function onAscii(c: Cell, test: ValueTest): SqlExpr | undefined {
  if (test.kind !== 'contains' && test.kind !== 'phrase' && test.kind !== 'phrase-prefix') return undefined
  const text = test.isFolded ? fold(test.text) : test.text
  if (c.facts.isAscii !== true || text === '' || text.length > MAX_PATTERN || !ASCII.test(text)) return undefined
  if (test.kind === 'contains') {
    if (!test.isFolded) return undefined
    return sqlCall('like', c.sql, bound(`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`))
  }
  const startsWord = isWordAt(text, 0)
  const endsWord = test.kind === 'phrase' && isWordBefore(text, text.length)
  const read = test.isFolded ? sqlCall('lower-ascii', c.sql) : c.sql
  const begun = startsWord ? sqlCall('after-blank', read) : read
  const ended = endsWord ? sqlCall('before-blank', begun) : begun
  const between = (edge: string, part: string): string => `${startsWord ? edge : ''}${part}${endsWord ? edge : ''}`
  // Most words stand between blanks. Searching for these substrings is much faster than a pattern, so they are tested
  // first.
  return sqlOr([
    sqlCall('contains-text', ended, bound(between(' ', text))),
    sqlCall('glob', ended, bound(`*${between(EDGE, text.replaceAll(/[*?[]/g, '[$&]'))}*`)),
  ])
}

/**
 * Compiles a substring search for a word that every passing string contains. It excludes most rows faster than a host
 * function. `true` if there is no such word.
 */
function hint(c: Cell, test: ValueTest): SqlExpr {
  if (c.form !== 'text' || compileTest(test)('')) return sqlTrue
  const words = wordNeeds(test).map(({ word }) => fold(word))
  const plain = words.filter((word) => ASCII.test(word) && !/[ik]/.test(word))
  const longest = plain.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined || longest === ''
    ? sqlTrue
    : sqlCall('contains-text', sqlCall('lower-ascii', c.sql), bound(longest))
}

/**
 * Returns ORDER BY terms for strings. A host function computes the sort key, but only for strings that look like
 * numbers or times.
 */
function rankTerms(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean): readonly OrderTerm[] {
  const term = { direction, mayBeNull: mayBeNull(c) }
  const text = withoutEmpty(c)
  const key: SqlExpr = {
    kind: 'case',
    branches: [{ when: sqlCall('may-rank', c.sql), value: sqlCall('host-sort-key', c.sql) }],
    otherwise: sqlCall('text-sort-key', text),
  }
  // Orders groups with equal sort keys by their strings.
  return [{ expr: key, ...term }, ...(isGroupKey ? [{ expr: text, ...term }] : [])]
}

/**
 * Compiles for tables of any schema in a SQLite file. What plain SQL cannot express becomes a call of a host function
 * (code of Sluice), with additional comparisons of the bare column that can use indexes.
 */
export const sqliteFileHost: Host = {
  ...sqliteHost,
  rankTerms: (c, direction, isGroupKey, context) =>
    c.form === 'text' && c.sql.kind !== 'bound'
      ? rankTerms(c, direction, isGroupKey)
      : sqliteHost.rankTerms(c, direction, isGroupKey, context),
  test: (c, test, isPositive, context) => {
    const pattern = c.form === 'text' ? onAscii(c, test) : undefined
    if (pattern !== undefined) {
      const rows = wordRowsOf(columnOf(c), test)
      // A prefix alone matches too many rows for a lookup of each.
      const isWorthIt = isPositive && wordNeeds(test).some(({ isPrefix }) => !isPrefix)
      const inRows = rows !== undefined && isWorthIt ? rows.condition : sqlTrue
      if (rows?.isExact !== true) return totalTest(c, test, sqlAnd([inRows, pattern]), isPositive)
    }
    const folded = c.form === 'text' && plainTest(c, test, isPositive) === undefined ? onFoldedText(c, test) : undefined
    if (folded !== undefined) return totalTest(c, test, folded, isPositive)
    const found = wordRowsOf(columnOf(c), test)
    if (found?.isExact === true) return isPositive ? found.condition : { ...found.condition, isNegated: true }
    const holds = sqliteHost.test(c, test, isPositive, context)
    if (!isPositive) return holds
    const isHost = holds.kind === 'call' && holds.name === 'host-test'
    // Conditions without host functions stay unchanged, so that SQLite can use an index.
    return sqlAnd([
      (isHost ? lookUp(c, test) : undefined) ?? found?.condition ?? (isHost ? hint(c, test) : sqlTrue),
      holds,
    ])
  },
}
