import { nearestNames, type Span } from '../../../base/index.ts'
import { isUnspaced } from '../../../data/index.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { quotePattern, quoteText } from '../print/quote.ts'
import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

const CLOSERS = [t.EOF, t.Bar, t.RParen, t.Semicolon, t.Comma]
const COMPARISONS = [t.Equals, t.Tilde, t.EqualsTilde, t.Less, t.LessEquals, t.Greater, t.GreaterEquals]
const In = t.keyword('in')

/**
 * Warns of a search word in a script without blanks between words. A word filter matches only a whole run of letters,
 * and in such scripts a run is hardly ever a single word.
 */
export function warnUnspaced($: Syntax, text: string, span: Span): void {
  if (!isUnspaced(text)) return
  const pattern = /^[\p{L}\p{N}_]+$/u.test(text) ? `*${text}*` : `*${quoteText(text)}*`
  $.report(logDiagnostic('unspaced-word', { text, pattern }, span))
}

/** Reports an error if no filter can begin at the next token. */
export function expectOperand($: Syntax): void {
  const token = $.next()
  const where = $.tokenSpan(token)
  if ($.isNextOneOf([t.And, t.Or])) {
    if ($.isNative) $.fail(logDiagnostic('misplaced-operator', { operator: token.image }, where))
    return
  }
  if ($.isNextOneOf(CLOSERS) || $.isNextOneOf([t.RBracket, t.RBrace])) {
    const before = $.LA(0)
    const isAfterOperator = before.tokenType === t.And || before.tokenType === t.Or
    if (isAfterOperator && $.isNative) {
      $.fail(logDiagnostic('misplaced-operator', { operator: before.image }, $.tokenSpan(before)))
    }
    $.fail(logDiagnostic('expected-filter', { found: token.image }, where))
  }
}

const MATCHES = [t.Equals, t.NotEquals, t.EqualsTilde, t.NotTilde]
/** Matches label matchers such as `{a="x"}` of a stream filter, but written in other brackets or without brackets. */
const MATCHERS =
  /^[([]?\s*([\w.]+\s*(?:=~|!~|!=|=)\s*"[^"\\]*"(?:\s*,\s*[\w.]+\s*(?:=~|!~|!=|=)\s*"[^"\\]*")*)(?:\s*[)\]])?/
/** Maximum length of the text that is matched against `MATCHERS`, UTF-16 units. */
const MATCHERS_LENGTH = 400

/**
 * Reports an error unless braces follow `_stream:`. The native dialect also allows filters on the stream name as text.
 */
export function expectBraces($: Syntax): void {
  if ($.isNext(t.LBrace)) return
  const isOther = !$.isNextOneOf([...CLOSERS, t.LBracket]) && !($.isNext(t.Word) && $.isNextOneOf(MATCHES, 2))
  if ($.isNative && isOther) return
  const start = $.startOffset()
  const match = MATCHERS.exec($.session.source.slice(start, start + MATCHERS_LENGTH))
  const meant = match?.[1] === undefined ? '' : `{${match[1]}}`
  const data = { meant, start, end: start + (match?.[0].length ?? 0) }
  $.fail(logDiagnostic('stream-braces', data, $.tokenSpan($.next())))
}

/** Closing brackets. After one of them, a filter that begins with a token in `OPENING` needs no blank. */
const CLOSING = [t.RParen, t.RBracket, t.RBrace]
const OPENING = [t.LParen, t.Not, t.Bang, t.Minus]

/**
 * True if the next token clearly does not belong to the previous one, even if they touch: an operator, or the start of
 * a filter after a closing bracket.
 */
function isPlainlyNext($: Syntax): boolean {
  return $.isNextOneOf([t.And, t.Or]) || ($.isNextOneOf(CLOSING, 0) && $.isNextOneOf(OPENING))
}

/**
 * Checks the end of a filter: a blank or the end of its nesting level must follow. Reports any other text that touches
 * the filter, with a fix.
 */
export function afterOperand($: Syntax, start: number, isBareWord: boolean, filterNames: readonly string[]): void {
  if ($.isNext(t.Comma)) failAtComma($, start)
  if ($.isNative && $.isNext(In) && $.isNext(t.LParen, 2) && !$.isNextOneOf([t.RParen, t.RBrace], 0)) {
    const field = $.session.source.slice(start, $.endOffset())
    if (!field.includes(':'))
      $.fail(logDiagnostic('in-without-colon', { field, start: $.endOffset() }, $.tokenSpan($.next())))
  }
  if (!$.touches() || $.isNextOneOf(CLOSERS)) {
    const isSpaced = isBareWord && $.isNextIn(t.comparisons) && !$.touches(2)
    if (!$.isNative && (isSpaced || $.isNext(t.EqualsTilde))) failAtComparison($)
    return
  }
  if (isPlainlyNext($)) return
  if ($.isNext(t.Ampersand) && $.isNext(t.Ampersand, 2)) $.fail($.unexpected($.next(), []))
  if ($.isNextOneOf(COMPARISONS)) failAtComparison($)
  failAtUnknownCall($, filterNames)
  failAtTouching($, start)
}

/**
 * Reports a call of an unknown filter, such as `field:starts_with(…)` or `contians_any(…)`. A bare word is reported
 * only if it resembles a filter name; otherwise just a blank may be missing before the parenthesis.
 */
function failAtUnknownCall($: Syntax, filterNames: readonly string[]): void {
  const word = $.LA(0)
  const isCall = $.isNext(t.LParen) && $.isNext(t.Word, 0) && /^[\p{L}_]/u.test(word.image)
  const isWhole = $.isNextOneOf([t.Colon, t.Bang, t.Minus, t.EOF, t.LParen, t.Bar], -1) || !$.touches(0)
  if (!isCall || !isWhole) return
  // Words of one or two letters are similar to too many names.
  const isMisspelt = word.image.length > 2 && nearestNames(word.image, filterNames).length > 0
  if (!$.isNext(t.Colon, -1) && !isMisspelt) return
  $.fail(logDiagnostic('unknown-filter', { name: word.image, known: filterNames }, $.tokenSpan(word)))
}

function failAtComparison($: Syntax): never {
  const token = $.next()
  if ($.isNext(t.Equals) && $.isNext(t.Equals, 2)) {
    const run = /^=+/.exec($.session.source.slice(token.startOffset, token.startOffset + 8))?.[0].length ?? 2
    $.fail(logDiagnostic('double-equals', {}, { start: token.startOffset, end: token.startOffset + run }))
  }
  $.fail(logDiagnostic('equals-without-colon', {}, $.tokenSpan(token)))
}

function failAtComma($: Syntax, start: number): never {
  const { source } = $.session
  const comma = $.next()
  const match = /^([\p{L}\p{Nd}_.-]+):([\p{L}\p{Nd}_.-]+)$/u.exec(source.slice(start, $.endOffset()))
  const values = match?.[2] === undefined ? [] : [match[2]]
  let end = $.endOffset()
  while (values.length > 0 && $.LA(2 * values.length - 1).tokenType === t.Comma) {
    const next = $.LA(2 * values.length)
    if (!$.isNext(t.Word, 2 * values.length) && next.tokenType !== t.Quoted) break
    values.push(next.image)
    end = (next.endOffset ?? next.startOffset) + 1
  }
  $.fail(logDiagnostic('comma-in-filter', { field: match?.[1] ?? '', values, start, end }, $.tokenSpan(comma)))
}

/** Returns the text from `start` to the next blank or character that ends a filter; shortens long texts. */
export function touchingRun(source: string, start: number): string {
  return /^[^\s()|;,"'`]*/.exec(source.slice(start, start + 400))?.[0] ?? ''
}

/** Reports a text that must be quoted, from `start` up to the next blank or closing bracket. */
function failAtTouching($: Syntax, start: number): never {
  const { source } = $.session
  const token = $.next()
  // The scanner reads an apostrophe as an opening quote; here it is part of the word.
  const isApostrophe = token.tokenType === t.Unclosed
  const rest = isApostrophe ? (/^\S*/.exec(source.slice($.endOffset()))?.[0] ?? '') : touchingRun(source, $.endOffset())
  const end = $.endOffset() + rest.length
  const colon = source.slice(start, end).indexOf(':')
  const valueStart = colon === -1 ? start : start + colon + 1
  const text = source.slice(valueStart, end)
  const isBehindFilter = $.isNextOneOf(CLOSING, 0)
  if (rest === '' || isBehindFilter || (!isApostrophe && /["'`]/.test(text)) || /^[!-]/.test(text)) {
    $.fail(logDiagnostic('touching-filters', { text: token.image, quoted: '' }, $.tokenSpan(token)))
  }
  const where = { start: token.startOffset, end: isApostrophe ? token.startOffset + 1 : $.tokenSpan(token).end }
  $.fail(logDiagnostic('needs-quotes', { text, quoted: quotePattern(text), start: valueStart, end }, where))
}

/** Maximum length of the text that is examined for SQL's `IS NOT NULL`, UTF-16 units. */
const NULL_TEST_LENGTH = 128

/** Warns of SQL's `field IS NOT NULL`. Must be called after the word `NULL` has been parsed. */
export function warnNullTest($: Syntax): void {
  const end = $.endOffset()
  const head = $.session.source.slice(Math.max(0, end - NULL_TEST_LENGTH), end)
  const match = /(?<=^|[\s(])([\p{L}_][\p{L}\p{Nd}_.-]*)\s+is\s+(not\s+)?null$/iu.exec(head)
  if (match === null) return
  const [written, field, negation] = match
  const meant = `${field}:${negation === undefined ? '""' : '*'}`
  $.report(logDiagnostic('null-test', { written, meant }, { start: end - written.length, end }))
}

const PAGING = [t.keyword('limit'), t.keyword('head'), t.keyword('offset'), t.keyword('skip')]

/** Warns of words such as `limit 10` at the end of a filter, which look like a pipe without its `|`. */
export function warnMissingBar($: Syntax): void {
  if (!$.isNative || !$.isNextOneOf(PAGING, -1) || !/^\d+$/.test($.LA(0).image)) return
  const word = $.LA(-1)
  // No warning if the word is the whole query or the value of a field, because the word is then meant as a search.
  if ($.LA(-2).tokenType === t.EOF || $.touches(-1) || $.isNextOneOf([t.Colon, t.Bang, t.Minus], -2)) return
  $.report(logDiagnostic('missing-bar', { pipe: word.image }, { start: word.startOffset, end: $.endOffset() }))
}
