import { compileTest, type ValueTest } from '../../data/index.ts'
import { printWordQuery, type WordQuery } from '../../store/sqlite/index.ts'
import { bound, sqlCall, sqlColumn, type Select } from './statement/ast.ts'
import type { Base } from './base.ts'
import type { Cell } from './cell.ts'
import { textSearch, type TextSearch } from './text-search.ts'

/** Selects the rows of a base table that match a word search, by id. */
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

/** Returns the search in the text field's own index, for a test that empty values do not pass. */
export function searchOf(c: Cell, test: ValueTest): TextSearch | undefined {
  if (c.stored === undefined || !c.stored.column.isText || compileTest(test)(null)) return undefined
  return textSearch(test)
}
