import { compileTest, wordNeeds, type ValueTest } from '../../../data/index.ts'
import type { Scan } from '../../../plan/index.ts'
import {
  aggregate,
  bound,
  compare,
  sqlCall,
  sqlColumn,
  sqlOr,
  type Select,
  type SqlColumn,
  type SqlExpr,
  type SqlInSelect,
} from '../statement/ast.ts'
import { children, roots } from '../statement/walk.ts'
import type { FullTextCut, WordIndex } from '../foreign/mapping.ts'

/**
 * Matches one setting among the arguments of `fts5(…)`: the name, then the value in single quotes, in double quotes or
 * unquoted.
 */
const SETTING = /(?:^|,)\s*(\w+)\s*=\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([^,]*))/gs

/**
 * Returns how a full-text table tokenizes ASCII strings, read from its `CREATE` statement. `undefined` if a search in
 * the table could miss words. Strings beyond ASCII are tested one by one, since the table's words in them differ from
 * Sluice's.
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
    // Returns no tokenization for a case-sensitive index, since it would miss rows.
    return isWhole && !/case_sensitive\s+'?1/.test(words.join(' ')) ? 'threes' : undefined
  }
  const isStemmed = first === 'porter'
  const [base = 'unicode61', ...options] = isStemmed ? words : [first, ...words]
  if (base !== 'unicode61' && base !== 'ascii') return undefined
  const optionText = options.join(' ')
  if (!isStemmed && /^(?:remove_diacritics '?[012]'? )?tokenchars ('?)_\1$/.test(optionText)) return 'words'
  // With these settings, other ASCII characters belong to words.
  return /tokenchars|categories|separators/.test(optionText) ? undefined : isStemmed ? 'stems' : 'runs'
}

/**
 * A search in a full-text table, made from a test. `isExact` says whether the search finds exactly the ASCII strings
 * that pass the test.
 */
export interface FullTextQuestion {
  readonly text: string
  readonly isExact: boolean
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/**
 * Returns a full-text search for the words of a string in sequence. `undefined` if the table does not support the
 * search.
 */
function phraseQuestion(text: string, isPrefix: boolean, cut: FullTextCut): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(text)) return undefined
  if (cut === 'threes') return text.length < 3 ? undefined : quoted(text)
  if (!/[0-9A-Za-z]/.test(text)) return undefined
  if (!isPrefix || !/[0-9A-Za-z_]$/.test(text)) return quoted(text)
  // A prefix of a word may not be a prefix of the word's stem.
  return cut === 'stems' || text.endsWith('_') ? undefined : `${quoted(text)} *`
}

function neededWords(test: ValueTest, cut: FullTextCut): string | undefined {
  const asked = wordNeeds(test).flatMap(({ word, isPrefix }) => phraseQuestion(word, isPrefix, cut) ?? [])
  return asked.length === 0 ? undefined : [...new Set(asked)].join(' AND ')
}

/**
 * Returns a full-text search that finds every ASCII string that passes the test. `undefined` if the table does not
 * support such a search.
 */
export function fullTextQuestion(test: ValueTest, cut: FullTextCut): FullTextQuestion | undefined {
  if (compileTest(test)(null)) return undefined
  if (test.kind !== 'phrase' && test.kind !== 'phrase-prefix') {
    const text = neededWords(test, cut)
    return text === undefined ? undefined : { text, isExact: false }
  }
  const text = phraseQuestion(test.text, test.kind === 'phrase-prefix', cut) ?? neededWords(test, cut)
  const isWord = /^[0-9A-Za-z_]*[0-9A-Za-z]$/.test(test.text)
  return text === undefined ? undefined : { text, isExact: cut === 'words' && test.isFolded && isWord }
}

/** A string column of a scanned table that has a full-text table. */
interface Indexed {
  readonly words: WordIndex & { readonly kind: 'fts5' }
  readonly table: string
  readonly alias: string
  readonly scan: Scan
  /** True if the full-text table tokenizes every stored string of the column as Sluice does. */
  readonly hasNoOdd: boolean
  /** Name of the time column, if it stores whole numbers and has an index; else `undefined`. */
  readonly timeColumn: string | undefined
}

const indexed = new WeakMap<SqlColumn, Indexed>()

/** Records that a column of a scan has a full-text table, so that `wordRowsOf` can use it. */
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
 * A condition for the rows that a full-text search finds. With `isExact` these are exactly the rows that pass the test;
 * otherwise they include all of them.
 */
export type WordRows =
  | { readonly condition: SqlInSelect; readonly isExact: true }
  | { readonly condition: SqlExpr; readonly isExact: false }

/**
 * Conditions that a full-text table alone decides, with the search of each. `drivenByWords` can start a statement from
 * such a search.
 */
const asked = new WeakMap<SqlExpr, Indexed & { readonly question: string }>()

function isAmong(alias: string, select: Select): SqlInSelect {
  return { kind: 'in-select', arg: sqlColumn(alias, 'rowid'), select, isNegated: false }
}

function answering({ words, alias, scan }: Indexed, question: string): Select {
  const own = `${alias}_words`
  return rowsWhere(words.table, own, scan, sqlCall('matches-words', sqlColumn(own, words.table), bound(question)))
}

/**
 * Returns a condition for the rows that may pass a test of a column with a full-text table: rows that a search in this
 * table finds, and rows whose strings it tokenizes differently from Sluice. An index finds the latter.
 */
export function wordRowsOf(column: SqlExpr | undefined, test: ValueTest): WordRows | undefined {
  const known = column?.kind === 'column' ? indexed.get(column) : undefined
  if (known?.words.cut === undefined || column?.kind !== 'column') return undefined
  const question = fullTextQuestion(test, known.words.cut)
  if (question === undefined) return undefined
  const { table, alias, scan, hasNoOdd } = known
  const found = isAmong(alias, answering(known, question.text))
  if (hasNoOdd) {
    if (!question.isExact) return { condition: found, isExact: false }
    asked.set(found, { ...known, question: question.text })
    return { condition: found, isExact: true }
  }
  const oddAlias = `${alias}_odd`
  const odd = sqlCall('cuts-otherwise', sqlColumn(oddAlias, column.column))
  return { condition: sqlOr([found, isAmong(alias, rowsWhere(table, oddAlias, scan, odd))]), isExact: false }
}

function reads(expr: SqlExpr, alias: string): boolean {
  if (expr.kind === 'column') return expr.source === alias
  const inside = children(expr)
  return inside.selects.length > 0 || inside.exprs.some((each) => reads(each, alias))
}

/** Combines the full-text searches of several conditions by AND. */
function together(words: readonly { readonly question: string }[]): string {
  return [...new Set(words.map(({ question }) => question))].join(' AND ')
}

const LEAST = bound(-(2n ** 63n))

/**
 * Compiles a lower bound of the row ids of the newest matching rows, from the earliest time among the matches that were
 * stored last. If there are no more matches than wanted rows, it is the smallest possible row id.
 */
function newestFrom({ table, alias, scan }: Indexed, latest: Select, rows: number, time: string): SqlExpr {
  const [own, some, known] = [`${alias}_from`, `${alias}_latest`, `${alias}_bound`]
  const plain = { groupBy: undefined, having: [], orderBy: [], limit: undefined, offset: 0 } as const
  const timeOf = (source: string): SqlExpr => sqlColumn(source, 'time')
  const count: Select = {
    kind: 'select',
    columns: [
      { expr: aggregate('COUNT', [timeOf(some)]), name: 'rows' },
      { expr: aggregate('MIN', [timeOf(some)]), name: 'time' },
    ],
    from: { kind: 'select', query: latest, alias: some },
    where: [],
    ...plain,
    groupBy: [],
  }
  const first: Select = {
    kind: 'select',
    // Without the sum, SQLite would find MIN(rowid) by reading the time of each row in the order of row ids.
    columns: [{ expr: aggregate('MIN', [sqlCall('plus', sqlColumn(own, 'rowid'), bound(0n))]), name: 'id' }],
    from: { kind: 'position', table, alias: own, scan },
    where: [compare(sqlColumn(own, time), '>=', timeOf(known))],
    ...plain,
    groupBy: [],
  }
  const isFew = compare(sqlColumn(known, 'rows'), '<', bound(BigInt(rows)))
  const from: SqlExpr = {
    kind: 'case',
    branches: [{ when: isFew, value: LEAST }],
    otherwise: { kind: 'scalar-select', select: first },
  }
  const select: Select = {
    kind: 'select',
    columns: [{ expr: from, name: 'id' }],
    from: { kind: 'select', query: count, alias: known },
    where: [],
    ...plain,
  }
  return { kind: 'scalar-select', select }
}

/**
 * Builds a statement for the newest rows that match words. It searches the full-text table first, starting at the
 * lowest row id that such rows can have.
 */
function newestByWords(select: Select, words: readonly (Indexed & { readonly question: string })[]): Select {
  const { from, limit, offset, orderBy } = select
  const [first] = words
  const [newest] = orderBy
  const time = first?.timeColumn
  const isNewest = newest?.direction === 'desc' && newest.expr.kind === 'column' && newest.expr.column === time
  if (first === undefined || from.kind !== 'table' || time === undefined || !isNewest || limit === undefined)
    return select
  if (select.groupBy !== undefined || select.isDistinct === true) return select
  const own = `${first.alias}_words`
  const rowid = sqlColumn(own, 'rowid')
  const { from: index, where } = answering(first, together(words))
  const on = compare(sqlColumn(from.alias, 'rowid'), '=', rowid)
  const others = select.where.filter((condition) => !asked.has(condition))
  const both: Select = {
    ...select,
    from: { kind: 'join', left: index, right: from, type: 'cross', on },
    where: [...others.filter(isGuard), ...where, ...others.filter((each) => !isGuard(each))],
  }
  const rows = offset + limit
  const latest: Select = {
    ...both,
    columns: [{ expr: sqlColumn(from.alias, time), name: 'time' }],
    orderBy: [{ expr: rowid, direction: 'desc', mayBeNull: false }],
    limit: rows,
    offset: 0,
  }
  return { ...both, where: [...both.where, compare(rowid, '>=', newestFrom(first, latest, rows, time))] }
}

function isGuard({ kind }: SqlExpr): boolean {
  return kind === 'guard'
}

/**
 * Rewrites a statement with word conditions so that it starts from the full-text table, if that is faster. A statement
 * that tests only words reads that table alone. For the newest rows, the full-text table is searched before the main
 * table.
 */
export function drivenByWords(select: Select): Select {
  const { from } = select
  if (from.kind === 'select' && from.query.kind === 'select') {
    return { ...select, from: { ...from, query: drivenByWords(from.query) } }
  }
  if (from.kind !== 'table') return select
  const words = select.where.flatMap((condition) => asked.get(condition) ?? [])
  const [first] = words
  if (first === undefined) return select
  const isAlone =
    words.length === select.where.length && !roots({ ...select, where: [] }).some((expr) => reads(expr, from.alias))
  if (!isAlone) return newestByWords(select, words)
  const { from: index, where } = answering(first, together(words))
  return { ...select, from: index, where }
}
