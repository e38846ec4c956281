import { compileTest, wordNeeds, type ValueTest } from '../../../data/index.ts'
import type { Scan } from '../../../plan/index.ts'
import { bound, sqlCall, sqlColumn, sqlOr, type Select, type SqlColumn, type SqlExpr } from '../ast.ts'
import type { FullTextCut, WordIndex } from '../foreign/mapping.ts'

/** A setting among the arguments of `fts5(…)`: its name, then its value in single quotes, in double quotes, or plain. */
const SETTING = /(?:^|,)\s*(\w+)\s*=\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([^,]*))/gs

/**
 * How the full-text table of this statement cuts ASCII texts; beyond ASCII its words differ from ours, so such texts are looked at
 * one by one. `undefined` where it could lose words.
 */
export function fullTextCut(statement: string): FullTextCut | undefined {
  const body = /\busing\s+fts5\s*\((.*)\)\s*$/is.exec(statement)?.[1]
  if (body === undefined) return undefined
  const settings = new Map(
    Array.from(body.matchAll(SETTING), ([, name = '', single, double, bare = '']) => [
      name.toLowerCase(),
      single?.replaceAll("''", "'") ?? double?.replaceAll('""', '"') ?? bare.trim(),
    ]),
  )
  const [first = 'unicode61', ...words] = (settings.get('tokenize') ?? 'unicode61').trim().toLowerCase().split(/\s+/)
  if (first === 'trigram') {
    const isWhole = (settings.get('detail') ?? 'full').trim().toLowerCase() === 'full'
    // With case it would find fewer.
    return isWhole && !/case_sensitive\s+'?1/.test(words.join(' ')) ? 'threes' : undefined
  }
  const isStemmed = first === 'porter'
  const [base = 'unicode61', ...options] = isStemmed ? words : [first, ...words]
  if (base !== 'unicode61' && base !== 'ascii') return undefined
  // More characters in a word, or fewer kinds of them, cut ASCII texts otherwise.
  return /tokenchars|categories|separators/.test(options.join(' ')) ? undefined : isStemmed ? 'stems' : 'runs'
}

/** A question for the full-text table that every ASCII text which passes a test answers; `undefined` when there is none. */
export function fullTextQuestion(test: ValueTest, cut: FullTextCut): string | undefined {
  if (compileTest(test)(null)) return undefined
  const asked = wordNeeds(test).flatMap(({ word, isPrefix }): readonly string[] => {
    if (!/^[\x20-\x7e]+$/.test(word)) return []
    if (cut === 'threes') return word.length < 3 ? [] : [`"${word.replaceAll('"', '""')}"`]
    const runs = word.split(/[^A-Za-z0-9]+/)
    return runs.flatMap((run, i) => {
      if (run === '') return []
      if (!isPrefix || i < runs.length - 1) return [`"${run}"`]
      // What a stem begins with is not what a word begins with.
      return cut === 'stems' ? [] : [`"${run}" *`]
    })
  })
  const parts = [...new Set(asked)]
  return parts.length === 0 ? undefined : parts.join(' AND ')
}

/** The text column of a scan that a full-text table is over. */
interface Indexed {
  readonly words: WordIndex & { readonly kind: 'fts5' }
  readonly table: string
  readonly alias: string
  readonly scan: Scan
}

const indexed = new WeakMap<SqlColumn, Indexed>()

/** Remembers that a column of a scan has a full-text table. */
export function markIndexed(column: SqlExpr, given: Indexed): void {
  if (column.kind === 'column') indexed.set(column, given)
}

function rowsWhere(table: string, alias: string, scan: Scan, condition: SqlExpr): Select {
  return {
    kind: 'select',
    columns: [{ expr: sqlColumn(alias, 'rowid'), name: 'id' }],
    from: { kind: 'words', table, alias, scan },
    where: [condition],
    groupBy: undefined,
    having: [],
    orderBy: [],
    limit: undefined,
    offset: 0,
  }
}

/**
 * The rows that can pass a test on an indexed column: those that the full-text table finds, and those with a text that it
 * cuts otherwise than we do, which an index on that condition finds quickly.
 */
export function wordRowsOf(column: SqlExpr | undefined, test: ValueTest): SqlExpr | undefined {
  const known = column?.kind === 'column' ? indexed.get(column) : undefined
  if (known?.words.cut === undefined || column?.kind !== 'column') return undefined
  const question = fullTextQuestion(test, known.words.cut)
  if (question === undefined) return undefined
  const { words, table, alias, scan } = known
  const [wordsAlias, oddAlias] = [`${alias}_words`, `${alias}_odd`]
  const odd = sqlCall('cuts-otherwise', sqlColumn(oddAlias, column.column))
  const asked = sqlCall('matches-words', sqlColumn(wordsAlias, words.table), bound(question))
  const isIn = (select: Select): SqlExpr => ({
    kind: 'in-select',
    arg: sqlColumn(alias, 'rowid'),
    select,
    isNegated: false,
  })
  return sqlOr([isIn(rowsWhere(words.table, wordsAlias, scan, asked)), isIn(rowsWhere(table, oddAlias, scan, odd))])
}
