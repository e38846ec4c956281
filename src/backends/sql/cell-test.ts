import { compileTest, type ValueTest } from '../../data/index.ts'
import { own, printWordQuery, type WordQuery } from '../../store/sqlite/index.ts'
import { looksAt, type AnyField } from '../../plan/index.ts'
import {
  bound,
  hostCall,
  isNotNull,
  isNull,
  sqlAnd,
  sqlCall,
  sqlColumn,
  sqlNot,
  sqlOr,
  type Select,
  type SqlExpr,
} from './ast.ts'
import type { Base } from './base.ts'
import type { Block } from './block.ts'
import type { Cell } from './cell.ts'
import { testOfNumber, testOfTime } from './tests-on-numbers.ts'
import { testOfText } from './tests-on-text.ts'
import { isEmptyCell, isNotEmptyCell, testOfKnownValues } from './tests-on-values.ts'
import { textSearch, type TextSearch } from './text-search.ts'

/** The same by host code, one call a row. Total. */
function hostTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  const { sql } = c
  const [rest, key] = sql.kind === 'call' && sql.name === 'host-field' ? sql.args : []
  if (rest === undefined || key?.kind !== 'bound' || typeof key.value !== 'string') {
    const holds = hostCall('host-test', { kind: 'test', test, form: c.form, restKey: undefined }, sql)
    return isPositive ? holds : sqlNot(holds)
  }
  const holds = hostCall('host-test', { kind: 'test', test, form: 'any', restKey: key.value }, rest)
  if (!isPositive) return sqlNot(holds)
  // A plain search for the name spares most calls on rows that lack the field.
  return compileTest(test)(null) ? holds : sqlAnd([sqlCall('contains-text', rest, key), holds])
}

/** Plain SQL for the test, where there is one that is exact. */
function plainTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr | undefined {
  if (test.kind === 'empty') return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
  if (c.facts.values !== undefined && c.form !== 'time' && c.form !== 'bool') {
    return testOfKnownValues(c, c.facts.values, test, isPositive)
  }
  if (c.form === 'text') return testOfText(c, test, isPositive)
  if (c.form === 'number') return testOfNumber(c, test, isPositive)
  return c.form === 'time' ? testOfTime(c, test, isPositive) : undefined
}

/** The rows of a base that answer a word question, by id. */
export function wordRows(base: Base, query: WordQuery): Select {
  const { wordsTable } = base.layout
  return {
    kind: 'select',
    columns: [{ expr: sqlColumn(base.wordsAlias, 'rowid'), name: 'id' }],
    from: { kind: 'words', table: wordsTable, alias: base.wordsAlias, scan: base.scan },
    where: [sqlCall('matches-words', sqlColumn(base.wordsAlias, wordsTable), bound(printWordQuery(query)))],
    groupBy: undefined,
    having: [],
    orderBy: [],
    limit: undefined,
    offset: 0,
  }
}

/** The text field's own index, for a test that empty values do not pass. */
export function searchOf(c: Cell, test: ValueTest): TextSearch | undefined {
  if (c.stored === undefined || !c.stored.column.isText || compileTest(test)(null)) return undefined
  return textSearch(test)
}

/** What to test on the row itself, be it found by the index or not. */
export function rowTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  return plainTest(c, test, isPositive) ?? hostTest(c, test, isPositive)
}

/** The test as a condition: true where it says what is asked, else false or NULL. */
export function testCell(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  const search = searchOf(c, test)
  if (search === undefined || c.stored === undefined) return rowTest(c, test, isPositive)
  const { base } = c.stored
  const listed: SqlExpr = {
    kind: 'in-select',
    arg: sqlColumn(base.alias, own.id),
    select: wordRows(base, search.query),
    isNegated: !isPositive,
  }
  if (search.isExact) return listed
  const test_ = rowTest(c, test, isPositive)
  return isPositive ? sqlAnd([listed, test_]) : sqlOr([listed, test_])
}

/** True when some field the row has passes; a missing field is not a field of it. */
export function anyField(expr: AnyField, block: Block, isPositive: boolean): SqlExpr {
  const parts: SqlExpr[] = []
  for (const [name, c] of block.fields) {
    if (!looksAt(expr, name)) continue
    const holds = testCell(c, expr.test, isPositive)
    if (!c.facts.hasMissing) parts.push(holds)
    else parts.push(isPositive ? sqlAnd([isNotNull(c.sql), holds]) : sqlOr([isNull(c.sql), holds]))
  }
  if (block.rest !== undefined) {
    const { sql, hidden } = block.rest
    const { fields, except, test } = expr
    const holds = hostCall('host-any-field', { kind: 'any-field', fields, except, hidden, test }, sql)
    parts.push(isPositive ? holds : sqlNot(holds))
  }
  return isPositive ? sqlOr(parts) : sqlAnd(parts)
}
