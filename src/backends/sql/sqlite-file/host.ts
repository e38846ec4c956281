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

/** The column behind a value that is read from one as it is. */
export function columnOf({ sql }: Cell): SqlExpr | undefined {
  if (sql.kind === 'column') return sql
  return sql.kind === 'call' && sql.name === 'host-native' ? sql.args[0] : undefined
}

/** What a column may hold that has this text: the text, a number that is written so, bytes as text or as digits. */
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

/** A comparison of the column that its indexes know, which leaves out no row that passes. */
function lookUp(c: Cell, test: ValueTest): SqlExpr | undefined {
  const column = columnOf(c)
  if (column === undefined || (test.kind !== 'equals' && test.kind !== 'in') || test.isFolded) return undefined
  const values = test.kind === 'equals' ? [test.value] : test.values
  // What equals a missing value is not found by comparing.
  if (values.length === 0 || values.length > MAX_TEST_VALUES || values.some((value) => toText(value) === ''))
    return undefined
  if (values.some((value) => typeof value !== 'string' && typeof value !== 'number')) return undefined
  // A typed comparison takes other spellings of a number for the same.
  if (test.isTyped && values.some((value) => parseNumber(toText(value)) !== undefined)) return undefined
  if (!values.every((value) => toText(value).isWellFormed())) return undefined
  return { kind: 'in', arg: column, values: values.flatMap(storedAs), isNegated: false }
}

/** Whether a text is only ASCII and has no zero character, after which SQLite counts no more. */
const isPlain = (sql: SqlExpr): SqlExpr => compare(sqlCall('length', sql), '=', sqlCall('octet-length', sql))

const ASCII = /^[\t-\x7f]*$/

/** Rows whose text begins as a lowered one does, in any case, as far as an index is worth asking. */
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
 * A test without regard to case of a column of texts, where `lower`, which knows only ASCII, settles it for ASCII texts.
 * Two letters beyond it fold to `i` and `k`: where these are looked for, other texts are looked at by host code.
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

/** Patterns of SQLite have at most 50,000 bytes. */
const MAX_PATTERN = 10_000

const EDGE = '[^0-9A-Za-z_]'

/** Parts and phrases of texts of ASCII as patterns, without host code. */
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
  // Most words stand between blanks, and patterns take several times as long.
  return sqlOr([
    sqlCall('contains-text', ended, bound(between(' ', text))),
    sqlCall('glob', ended, bound(`*${between(EDGE, text.replaceAll(/[*?[]/g, '[$&]'))}*`)),
  ])
}

/** The word that every text which passes has, where looking for it is quicker than host code. */
function hint(c: Cell, test: ValueTest): SqlExpr {
  if (c.form !== 'text' || compileTest(test)('')) return sqlTrue
  const words = wordNeeds(test).map(({ word }) => fold(word))
  const plain = words.filter((word) => ASCII.test(word) && !/[ik]/.test(word))
  const longest = plain.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined || longest === ''
    ? sqlTrue
    : sqlCall('contains-text', sqlCall('lower-ascii', c.sql), bound(longest))
}

/** Texts in their order without host code, but for those that may rank as numbers or times. */
function rankTerms(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean): readonly OrderTerm[] {
  const term = { direction, mayBeNull: mayBeNull(c) }
  const text = withoutEmpty(c)
  const key: SqlExpr = {
    kind: 'case',
    branches: [{ when: sqlCall('may-rank', c.sql), value: sqlCall('host-sort-key', c.sql) }],
    otherwise: sqlCall('text-sort-key', text),
  }
  // Groups whose keys tie go by their texts.
  return [{ expr: key, ...term }, ...(isGroupKey ? [{ expr: text, ...term }] : [])]
}

/** Host code over columns of someone else's making, which indexes help where a value is looked up. */
export const sqliteFileHost: Host = {
  ...sqliteHost,
  rankTerms: (c, direction, isGroupKey, place) =>
    c.form === 'text' && c.sql.kind !== 'bound'
      ? rankTerms(c, direction, isGroupKey)
      : sqliteHost.rankTerms(c, direction, isGroupKey, place),
  test: (c, test, isPositive, place) => {
    const pattern = c.form === 'text' ? onAscii(c, test) : undefined
    if (pattern !== undefined) {
      const rows = wordRowsOf(columnOf(c), test)
      // The rows of the beginning of a word are too many to be looked up and then looked at one by one.
      const isWorthIt = isPositive && wordNeeds(test).some(({ isPrefix }) => !isPrefix)
      const inRows = rows !== undefined && isWorthIt ? rows.condition : sqlTrue
      if (rows?.isExact !== true) return totalTest(c, test, sqlAnd([inRows, pattern]), isPositive)
    }
    const folded = c.form === 'text' && plainTest(c, test, isPositive) === undefined ? onFoldedText(c, test) : undefined
    if (folded !== undefined) return totalTest(c, test, folded, isPositive)
    const found = wordRowsOf(columnOf(c), test)
    if (found?.isExact === true) return isPositive ? found.condition : { ...found.condition, isNegated: true }
    const holds = sqliteHost.test(c, test, isPositive, place)
    if (!isPositive) return holds
    const isHost = holds.kind === 'call' && holds.name === 'host-test'
    // What is no host code, indexes of the column answer as it is.
    return sqlAnd([
      (isHost ? lookUp(c, test) : undefined) ?? found?.condition ?? (isHost ? hint(c, test) : sqlTrue),
      holds,
    ])
  },
}
