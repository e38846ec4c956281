import { compileTest, type ValueTest } from '../../data/index.ts'
import { printWordQuery, type WordQuery } from '../../store/sqlite/index.ts'
import { bound, sqlCall, sqlColumn, type Select } from './statement/ast.ts'
import type { Base } from './base.ts'
import type { Cell } from './cell.ts'
import { textSearch, type TextSearch } from './text-search.ts'

/** Builds a SELECT of the ids of the rows that match a word search. */
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

/**
 * Returns a word-index search for a test of the text field. `undefined` for other columns, which have no word index,
 * and for tests that empty values pass.
 */
export function searchOf(c: Cell, test: ValueTest): TextSearch | undefined {
  if (c.stored === undefined || !c.stored.column.isText || compileTest(test)(null)) return undefined
  return textSearch(test)
}
