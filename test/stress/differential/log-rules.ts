import { formsIn, visitTree } from '../../../src/fuzz/forms.ts'
import { parse, tokensOf, type PlainToken, type Query } from '../../../src/lang/log/index.ts'
import { JsonText, toText, type Row } from '../../../src/data/index.ts'
import { rowKey, type AnswerRow, type LogAnswer } from './log-answers.ts'
import type { Pair, Rule } from './judge.ts'

/** A query of a comparison with the rows it ran over, as input of the rules. */
export interface LogQuestion {
  readonly text: string
  readonly rows: readonly Row[]
}

type LogRule = Rule<LogQuestion, LogAnswer>
type RowPair = Pair<{ readonly rows: readonly AnswerRow[] }>

/** Forms of Sluice's dialect that the reference implementation lacks. */
const ownForms: ReadonlySet<string> = new Set(['stats count_uniq_approx', 'stats quantile_approx', 'stats pattern'])

function queryOf(text: string): Query {
  return parse(text, { dialect: 'logsql' }).ast
}

function has(text: string, ...forms: readonly string[]): boolean {
  const found = formsIn(queryOf(text))
  return forms.some((form) => found.has(form))
}

/** True if the query contains an unquoted token that matches `first`, followed by a token for which `next` holds. */
function hasTokens(text: string, first: RegExp, next: (token: PlainToken) => boolean): boolean {
  const { tokens } = tokensOf(text)
  return tokens.some((token, i) => {
    const following = tokens[i + 1]
    return token.type !== 'Quoted' && first.test(token.text) && following !== undefined && next(following)
  })
}

const isText = ({ isWord, type }: PlainToken): boolean => isWord || type === 'Quoted'

/** True if the query has `by level` without parentheses, instead of `by (level)`. */
const hasBareBy = (text: string): boolean => hasTokens(text, /^by$/i, isText)
const hasZone = (text: string): boolean => hasTokens(text, /^zone$/i, isText)
/** True if the query uses an infinity such as `-Infinity` or `inf` as a number. */
const hasInfinity = (text: string): boolean =>
  tokensOf(text).tokens.some(({ type, text: written }) => type !== 'Quoted' && /^inf(?:inity)?$/i.test(written))

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface ClockForm {
  readonly kind: 'day' | 'week'
  readonly min: { readonly text: string }
  readonly max: { readonly text: string }
}

/**
 * True if the query has a range of times of day or days of the week that wraps around, as `day_range[22:00, 06:00)`
 * does.
 */
function hasRangeOverEnd(text: string): boolean {
  let isFound = false
  const place = ({ text: bound }: { readonly text: string }, kind: ClockForm['kind']): number | string =>
    kind === 'day' ? bound : WEEKDAYS.indexOf(bound.slice(0, 3).toLowerCase())
  visitTree(queryOf(text), ({ kind, form }) => {
    if (kind !== 'clock') return
    const { kind: unit, min, max } = form as ClockForm
    isFound ||= place(min, unit) > place(max, unit)
  })
  return isFound
}

/**
 * True if the query has the form `uniq by (a, b) filter x`. It is undefined which of several fields must contain the
 * text.
 */
function filtersSeveralKeys(text: string): boolean {
  let isFound = false
  visitTree(queryOf(text), ({ kind, by, containing }) => {
    isFound ||= kind === 'uniq' && containing !== undefined && Array.isArray(by) && by.length > 1
  })
  return isFound
}

const STREAM_NAMES: ReadonlySet<string | undefined> = new Set(['_stream', '_stream_id'])

/** Returns the output of `pack_json` or `pack_logfmt` without stream names. */
function withoutStreams(text: string): string {
  if (text.startsWith('{')) return text.replaceAll(/"_stream(?:_id)?":"(?:[^"\\]|\\.)*",?/g, '').replace(/,\}$/, '}')
  return text.replaceAll(/(?:^|\s)_stream(?:_id)?=(?:"(?:[^"\\]|\\.)*"|\S*)/g, '').trimStart()
}

/** Applies a change to each row. Returns the same array if nothing changes. */
function mapRows(rows: readonly AnswerRow[], change: (row: AnswerRow) => AnswerRow): readonly AnswerRow[] {
  const changed = rows.map(change)
  return changed.every((row, i) => row === rows[i]) ? rows : changed
}

/**
 * Returns a `settle` function that applies the same change to the rows of both answers. It does nothing if `applies`
 * returns false for the query.
 */
function settling(change: (row: AnswerRow, given: LogQuestion) => AnswerRow, applies?: (text: string) => boolean) {
  return (pair: Pair<LogAnswer>, given: LogQuestion): Pair<LogAnswer> => {
    const { ours, theirs } = pair
    if ('refused' in ours || 'refused' in theirs || applies?.(given.text) === false) return pair
    const rows = (answer: { readonly rows: readonly AnswerRow[] }): readonly AnswerRow[] =>
      mapRows(answer.rows, (row) => change(row, given))
    const [a, b] = [rows(ours), rows(theirs)]
    return a === ours.rows && b === theirs.rows ? pair : { ours: { rows: a }, theirs: { rows: b } }
  }
}

/** Applies a change to each value of a row. Returns the same row if nothing changes. */
function changed(row: AnswerRow, change: (value: string) => string): AnswerRow {
  const entries = Object.entries(row)
  const next = entries.map(([name, value]) => [name, change(value)] as const)
  return next.every(([, value], i) => value === entries[i]?.[1]) ? row : Object.fromEntries(next)
}

function without(row: AnswerRow, name: string): AnswerRow {
  if (!(name in row)) return row
  const { [name]: _, ...rest } = row
  return rest
}

/** Returns an `explains` function that calls `holds` if both answers have rows; otherwise it returns false. */
function aboutRows(holds: (pair: RowPair, given: LogQuestion) => boolean) {
  return ({ ours, theirs }: Pair<LogAnswer>, given: LogQuestion): boolean =>
    !('refused' in ours) && !('refused' in theirs) && holds({ ours, theirs }, given)
}

/**
 * Returns the names of fields whose values differ between two answers, ignoring the order of rows. Returns `undefined`
 * if the answers have different numbers of rows.
 */
function differingFields({ ours, theirs }: RowPair): ReadonlySet<string> | undefined {
  if (ours.rows.length !== theirs.rows.length) return undefined
  const names = new Set([...ours.rows, ...theirs.rows].flatMap((row) => Object.keys(row)))
  const column = (rows: readonly AnswerRow[], name: string): string =>
    JSON.stringify(rows.map((row) => row[name] ?? '').toSorted())
  return new Set([...names].filter((name) => column(ours.rows, name) !== column(theirs.rows, name)))
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i
const SURE_DIGITS = 12

function rounded(text: string): string {
  return NUMBER.test(text) ? String(Number(Number(text).toPrecision(SURE_DIGITS))) : text
}

/** True if some stored field holds values of several classes: numbers, times or other strings. */
function isMixed(rows: readonly Row[]): boolean {
  const names = new Set(rows.flatMap((row) => [...row.keys()]))
  return [...names].some((name) => {
    const classes = new Set(
      rows.map((row) => {
        const value = row.get(name)
        if (value === undefined || value === null || value === '') return 'missing'
        if (typeof value === 'string' || value instanceof JsonText)
          return /^[\d.+-]/.test(toText(value)) ? 'like' : 'text'
        return typeof value === 'object' ? 'time' : 'number'
      }),
    )
    return classes.size > 1
  })
}

/** Matches the parts of a query that select rows by their order, or number them. */
const CHOOSING = /\b(limit|head|offset|skip|first|last|top|rank|partition|before|after|facets)\b/
const free = ['stats any', 'stats row_any'] as const
/** Forms whose result depends on the order of values. */
const ordering = [
  'stats min',
  'stats max',
  'stats median',
  'stats quantile',
  'stats uniq_values',
  'stats row_min',
  'stats row_max',
  'stats field_min',
  'stats field_max',
  'stats json_values',
  'running min',
  'running max',
] as const
const running = ['pipe running_stats', 'pipe total_stats', 'running first', 'running last'] as const
const summing = [
  'stats sum',
  'stats avg',
  'stats stddev',
  'stats rate',
  'stats rate_sum',
  'running sum',
  'pipe math',
  'running avg',
] as const
const folding = ['filter any-case', 'filter equals-common-case', 'filter contains-common-case'] as const

/** Matches letters whose lower-case or upper-case form has another length or consists of several letters. */
const UNEVEN_CASE = /[İßǅｾ\u{10400}-\u{1044f}]/u

/**
 * Rules for answers that may differ from those of the reference implementation, in the order in which they are tried.
 */
export const logRules: readonly LogRule[] = [
  {
    ruling: 'L32',
    what: 'ids of streams are hashes of one engine',
    settle: settling((row) => without(row, '_stream_id')),
  },
  {
    ruling: 'L15',
    what: 'results that are infinite are written, or left out',
    settle: settling(
      (row) => {
        const finite = Object.entries(row).filter(([, value]) => !/^[+-]?inf(?:inity)?$/i.test(value))
        return finite.length === Object.keys(row).length ? row : Object.fromEntries(finite)
      },
      (text) => has(text, ...summing, ...ordering),
    ),
  },
  {
    ruling: 'L16',
    what: 'a row all of whose values are empty is written, or left out',
    settle: (pair) => {
      const { ours, theirs } = pair
      if ('refused' in ours || 'refused' in theirs) return pair
      const isEmpty = (row: AnswerRow): boolean => Object.keys(row).length === 0
      if (!ours.rows.some(isEmpty) && !theirs.rows.some(isEmpty)) return pair
      const left = ({ rows }: { readonly rows: readonly AnswerRow[] }) => ({
        rows: rows.filter((row) => !isEmpty(row)),
      })
      return { ours: left(ours), theirs: left(theirs) }
    },
  },
  {
    ruling: 'L30',
    what: 'the name of a stream is a computed text, given where a query asks for it',
    settle: (pair) => {
      const { ours, theirs } = pair
      if ('refused' in ours || 'refused' in theirs) return pair
      const isNamed = ours.rows.some((row) => '_stream' in row)
      return isNamed ? pair : settling((row) => without(row, '_stream'))(pair, { text: '*', rows: [] })
    },
  },
  {
    ruling: 'L30',
    what: 'streams are no fields of whole rows, so facets and lists of fields do not count them',
    settle: (pair, { text }) => {
      const { ours, theirs } = pair
      if ('refused' in ours || 'refused' in theirs || !has(text, 'pipe facets', 'pipe field_names')) return pair
      const isStream = (row: AnswerRow): boolean => STREAM_NAMES.has(row['field_name'] ?? row['name'])
      if (![...ours.rows, ...theirs.rows].some(isStream)) return pair
      const left = (rows: readonly AnswerRow[]): LogAnswer => ({ rows: rows.filter((row) => !isStream(row)) })
      return { ours: left(ours.rows), theirs: left(theirs.rows) }
    },
  },
  {
    ruling: 'L30',
    what: 'streams are no fields of whole rows, so they are not packed',
    settle: settling(
      (row) => changed(row, withoutStreams),
      (text) => has(text, 'pipe pack_json', 'pipe pack_logfmt'),
    ),
  },
  {
    ruling: '§1, sums',
    what: 'sums, averages and deviations are exact and independent of order',
    settle: settling(
      (row) => changed(row, rounded),
      (text) => has(text, ...summing),
    ),
  },
  {
    ruling: 'L18',
    what: 'lists of values come in the order of their rows, which is not fixed',
    settle: settling(
      (row) => changed(row, sortedList),
      (text) => has(text, 'stats values', 'stats json_values', 'stats uniq_values'),
    ),
  },
  {
    ruling: 'L44',
    what: 'forms that only we accept',
    explains: ({ ours, theirs }, { text }) => 'refused' in theirs && !('refused' in ours) && has(text, ...ownForms),
  },
  {
    ruling: 'L43',
    what: 'lists of fields behind `by` are read without parentheses',
    explains: ({ ours, theirs }, { text }) => 'refused' in theirs && !('refused' in ours) && hasBareBy(text),
  },
  {
    ruling: 'L44',
    what: 'zones by name, and infinities as numbers, are forms that only we accept',
    explains: ({ ours, theirs }, { text }) =>
      'refused' in theirs && !('refused' in ours) && (hasZone(text) || hasInfinity(text)),
  },
  {
    ruling: 'L44',
    what: 'ranges of days and weeks may go over their end',
    explains: ({ ours }, { text }) => !('refused' in ours) && hasRangeOverEnd(text),
  },
  {
    ruling: 'L44',
    what: 'an infinity in a comparison or range is a number',
    explains: aboutRows((_, { text }) => hasInfinity(text)),
  },
  {
    ruling: 'L44',
    what: '`uniq by (…) filter` takes a row if one of several fields has the text',
    explains: aboutRows((_, { text }) => filtersSeveralKeys(text)),
  },
  {
    ruling: 'L32',
    what: 'what pipes and functions make of the ids of streams',
    explains: aboutRows((_, { text }) => text.includes('_stream_id')),
  },
  {
    ruling: 'L45',
    what: 'a sample is drawn by a hash of the record',
    explains: aboutRows((_, { text }) => has(text, 'pipe sample')),
  },
  {
    ruling: 'L40',
    what: 'chance, and what the clock says, differ from run to run',
    explains: aboutRows((_, { text }) => has(text, 'math rand', 'math now')),
  },
  {
    ruling: 'L18',
    what: 'which of the values any() gives is not fixed',
    explains: aboutRows((pair, { text }) => has(text, ...free) && (differingFields(pair)?.size ?? 2) <= 2),
  },
  {
    ruling: 'L18',
    what: 'which rows a limit keeps is not fixed without an order; with one, ties are free',
    explains: aboutRows(({ ours, theirs }, { text }) => CHOOSING.test(text) && ours.rows.length === theirs.rows.length),
  },
  {
    ruling: 'L18',
    what: 'running values of rows of one time come in any order',
    explains: aboutRows((pair, { text, rows }) => {
      const times = rows.map((row) => toText(row.get('_time') ?? null))
      return has(text, ...running) && new Set(times).size < times.length && differingFields(pair) !== undefined
    }),
  },
  {
    ruling: 'L19',
    what: 'one order of classes of values: numbers, times, texts',
    explains: aboutRows(
      ({ ours, theirs }, { text, rows }) =>
        ours.rows.length === theirs.rows.length && has(text, ...ordering) && isMixed(rows),
    ),
  },
  {
    ruling: '§1, folding',
    what: 'letters are folded one by one, by one table',
    explains: aboutRows(
      (_, { text, rows }) =>
        has(text, ...folding) &&
        UNEVEN_CASE.test(text + rows.map((row) => [...row.values()].map(toText).join(' ')).join(' ')),
    ),
  },
]

/** Returns a JSON array with its items in a fixed order. Other strings are returned unchanged. */
function sortedList(text: string): string {
  if (!text.startsWith('[')) return text
  try {
    const list: unknown = JSON.parse(text)
    if (!Array.isArray(list)) return text
    const keys = list.map((item: unknown) =>
      item !== null && typeof item === 'object' && !Array.isArray(item)
        ? rowKey(item as AnswerRow)
        : JSON.stringify(item),
    )
    const sorted = keys.toSorted()
    return sorted.every((key, i) => key === keys[i]) ? text : `[${sorted.join(',')}]`
  } catch {
    return text
  }
}

/** Forms whose result depends on the current time, on chance, or on how an engine stores its columns. */
const chanceForms: ReadonlySet<string> = new Set(['math rand', 'math now', 'pipe sample', 'filter value-type'])

/**
 * True if queries that are compared with a server may contain this form: the server supports it, and its result is
 * deterministic.
 */
export function isComparable(form: string): boolean {
  return !ownForms.has(form) && !chanceForms.has(form)
}
