import { nearestNames, spanOf, type Diagnostic, type Edit, type Fix, type Span } from '../base/index.ts'
import { compileTest, escapeCodePoint, type Value, type ValueTest } from '../data/index.ts'
import type { KnownFields } from '../plan/index.ts'
import { analyzeDiagnostic } from './diagnostics.ts'
import { MAX_COMPARED_CHARS, nearFields } from './near-fields.ts'
import type { SourceRead } from './source-reads.ts'

/**
 * Maximum number of names in a query that are checked. A query with more is generated, so typing mistakes are unlikely.
 */
export const MAX_ASKED = 64
/** Maximum number of names that are reported. */
const MAX_TOLD = 8

const QUOTE = /["'`]/
/** Matches characters after a position that continue the word before it. */
const GOES_ON = /^(?:[\p{L}\p{Nd}_.]|[-/@][\p{L}\p{Nd}])/u
/** Matches characters before a position that belong to the word after it. */
const GOES_BACK = /(?:[\p{L}\p{Nd}_.]|[\p{L}\p{Nd}][-/@])$/u

/** True if the text between two positions is a whole word, or the whole text inside quotes. */
function isWhole(text: string, start: number, end: number): boolean {
  const [before, after] = [text[start - 1] ?? '', text[end] ?? '']
  if (QUOTE.test(before) || QUOTE.test(after)) return before === after
  return !GOES_BACK.test(text.slice(Math.max(0, start - 4), start)) && !GOES_ON.test(text.slice(end, end + 4))
}

/** Returns the spans of `written` as a whole word within the origin of a diagnostic. */
function spansOf(text: string | undefined, written: string, { origin }: Pick<SourceRead, 'origin'>): readonly Span[] {
  const span = spanOf(origin)
  const spans: Span[] = []
  if (text === undefined || span === undefined || written === '') return spans
  for (let at = text.indexOf(written, span.start); at !== -1; at = text.indexOf(written, at + 1)) {
    const end = at + written.length
    if (end > span.end) break
    if (isWhole(text, at, end)) spans.push({ start: at, end })
  }
  return spans
}

/** Quotes a name or value if the syntax of a query requires it. */
function written(name: string): string {
  if (/^[\p{L}_][\p{L}\p{Nd}_]*([./-][\p{L}\p{Nd}_]+)*$/u.test(name)) return name
  return `"${Array.from(name, (char) => escapeCodePoint(char.codePointAt(0) ?? 0, '"')).join('')}"`
}

function edited(text: string | undefined, edits: readonly (Edit | undefined)[], title: string): readonly Fix[] {
  const found = edits.filter((edit) => edit !== undefined)
  // The text already has quotes around the name; an edit that adds quotes would double them.
  const isInQuotes = found.some(
    ({ span, text: next }) => /["'`]/.test(text?.[span.start - 1] ?? '') && next.startsWith('"'),
  )
  return found.length === 0 || found.length < edits.length || isInQuotes ? [] : [{ title, edits: found, isSafe: false }]
}

interface Near {
  readonly name: string
  readonly rows: number
}

function nearOf(names: readonly string[], counts: ReadonlyMap<string, number>): readonly Near[] {
  return names.map((name) => ({ name, rows: counts.get(name) ?? 0 }))
}

function most(counts: ReadonlyMap<string, number>, max: number): readonly string[] {
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([name]) => name)
}

function unknownField(read: SourceRead, known: KnownFields, text: string | undefined): Diagnostic {
  const counts = known.fields()
  const names = nearFields(read.field, counts)
  const [fieldSpan] = spansOf(text, read.field, read)
  const near = nearOf(names, counts)
  const others = nearOf(most(counts, 6), counts)
  const fixes = names.flatMap((name) =>
    edited(text, [fieldSpan === undefined ? undefined : { span: fieldSpan, text: written(name) }], `Write \`${name}\``),
  )
  return {
    ...analyzeDiagnostic(
      'unknown-field',
      { name: read.field, table: read.table, near, others, rows: known.isWhole ? undefined : known.rows },
      fieldSpan ?? read.origin,
    ),
    fixes,
  }
}

/**
 * Returns strings that a test for whole values matches, except numbers and long strings, in which typing mistakes are
 * unlikely.
 */
function wantedTexts(test: ValueTest): readonly string[] {
  const values: readonly Value[] = test.kind === 'equals' ? [test.value] : test.kind === 'in' ? test.values : []
  return values.filter(
    (value): value is string =>
      typeof value === 'string' && value.length > 1 && value.length <= MAX_COMPARED_CHARS && !/^[\d.:+-]*$/.test(value),
  )
}

/**
 * Returns the strings that the test looks for and no row has. `texts` are all values of the field in the rows that were
 * read.
 */
export function unseenTexts(test: ValueTest, texts: ReadonlyMap<string, number>): readonly string[] {
  if (test.kind !== 'equals' && test.kind !== 'in') return []
  return wantedTexts(test).filter((value) => {
    const one = compileTest({ kind: 'equals', value, isFolded: test.isFolded, isTyped: test.isTyped })
    for (const text of texts.keys()) if (one(text)) return false
    return true
  })
}

/** Returns a fix that turns `field:value` into a search for values that contain the string, if there are any. */
function withinFix(
  value: string,
  { test, valueSpan }: { readonly test: ValueTest; readonly valueSpan: Span | undefined },
  texts: ReadonlyMap<string, number>,
  text: string | undefined,
): readonly Fix[] {
  if (valueSpan === undefined || text === undefined || !('isFolded' in test)) return []
  const within = compileTest({ kind: 'contains', text: value, isFolded: test.isFolded === true })
  if (![...texts.keys()].some((each) => within(each))) return []
  const isQuoted = QUOTE.test(text[valueSpan.start - 1] ?? '')
  const span = isQuoted ? { start: valueSpan.start - 1, end: valueSpan.end + 1 } : valueSpan
  if (text[span.start - 1] !== ':') return []
  const wanted = `*${written(value)}*`
  return [{ title: `Write \`${wanted}\` for values that contain it`, edits: [{ span, text: wanted }], isSafe: false }]
}

function unseenValue(read: SourceRead, known: KnownFields, text: string | undefined): Diagnostic | undefined {
  const { test } = read
  if (test === undefined) return undefined
  const texts = known.texts(read.field)
  if (texts === undefined || texts.size === 0) return undefined
  const unseen = unseenTexts(test, texts)
  const [first] = unseen
  if (first === undefined) return undefined
  const nearest = unseen.map((value) => nearestNames(value, texts.keys()))
  const near = nearOf(nearest[0] ?? [], texts)
  const others = nearOf(most(texts, 6), texts)
  const spans = unseen.map((value) => {
    // The origin of a filter in braces is the whole filter. If the value occurs twice in it, either position may be
    // meant.
    const all = spansOf(text, value, read)
    return all.length > 1 ? undefined : all[0]
  })
  const edits = spans.map((valueSpan, i): Edit | undefined => {
    const [name] = nearest[i] ?? []
    return name === undefined || valueSpan === undefined ? undefined : { span: valueSpan, text: written(name) }
  })
  const within = unseen.length === 1 ? withinFix(first, { test, valueSpan: spans[0] }, texts, text) : []
  return {
    ...analyzeDiagnostic(
      'unseen-value',
      { field: read.field, value: first, near, others, rows: known.isWhole ? undefined : known.rows },
      read.origin,
    ),
    fixes: [...edited(text, edits, `Write \`${edits.map((edit) => edit?.text ?? '').join('`, `')}\``), ...within],
  }
}

/** Returns the field reads that are worth checking, each name once. */
export function askedReads(reads: readonly SourceRead[]): readonly SourceRead[] {
  const seen = new Set<string>()
  const asked: SourceRead[] = []
  for (const read of reads) {
    if (read.isDeclared && (read.test === undefined || wantedTexts(read.test).length === 0)) continue
    const key = JSON.stringify([read.table, read.field, read.test === undefined ? null : wantedTexts(read.test)])
    if (seen.has(key)) continue
    seen.add(key)
    asked.push(read)
    if (asked.length === MAX_ASKED) break
  }
  return asked
}

/**
 * Warns about fields that no row has, and about values that no row has in a field with few distinct values. `knownOf`
 * returns the fields and values of the rows that the caller may see. A table without rows gives no warning. `text` is
 * the query text, if there is one.
 */
export function nameAdvice(
  reads: readonly SourceRead[],
  knownOf: (table: string) => KnownFields | undefined,
  text?: string,
): readonly Diagnostic[] {
  const reported: Diagnostic[] = []
  const unknown = new Set<string>()
  for (const read of reads) {
    const known = knownOf(read.table)
    if (known === undefined || known.rows === 0 || reported.length === MAX_TOLD) continue
    if (!read.isDeclared && !known.has(read.field)) {
      if (!unknown.has(read.field)) reported.push(unknownField(read, known, text))
      unknown.add(read.field)
      continue
    }
    const value = unseenValue(read, known, text)
    if (value !== undefined) reported.push(value)
  }
  return reported
}
