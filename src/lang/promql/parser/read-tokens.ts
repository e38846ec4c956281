import { Regex, SluiceError, type Span } from '../../../base/index.ts'
import type { Matcher, MatchOp, NumberLiteral, StringLiteral } from '../ast.ts'
import type { Word } from '../build.ts'
import { promqlDiagnostic, type Report } from '../diagnostics.ts'
import { readDuration, readNumber } from '../text/number-text.ts'
import { DurationToken } from './tokens.ts'
import { scanString } from '../text/string-text.ts'
import type { Token } from './refine.ts'

export function spanOfToken(token: Token): Span {
  // The end token before the first token has offset -1.
  const start = Math.max(0, token.startOffset)
  return { start, end: start + token.image.length }
}

export function wordOf(token: Token): Word {
  return { text: token.image, span: spanOfToken(token) }
}

export interface ReadNumber {
  readonly value: number
  readonly isDuration: boolean
  readonly span: Span
}

/** Returns the value of a number or duration token. For an invalid token, reports an error and returns the value 0. */
export function readNumberToken(token: Token, report: Report): ReadNumber {
  const span = spanOfToken(token)
  const isDuration = token.tokenType === DurationToken
  const result = isDuration ? readDuration(token.image) : readNumber(token.image)
  if ('value' in result) return { value: result.value, isDuration, span }
  report(promqlDiagnostic(isDuration ? 'bad-duration' : 'bad-number', { message: result.error }, span))
  return { value: 0, isDuration, span }
}

export function numberLiteral(number: ReadNumber): NumberLiteral {
  return { kind: 'number', valueType: 'scalar', ...number }
}

/** Returns the content of a string token, without quotes and with escapes decoded. */
export function readStringToken(token: Token): string {
  return token.image === '' ? '' : scanString(token.image, 0).value
}

export function stringLiteral(token: Token): StringLiteral {
  return { kind: 'string', valueType: 'string', value: readStringToken(token), span: spanOfToken(token) }
}

/**
 * Returns why a regular expression is invalid, in the wording of the regular expression library; `undefined` if it is
 * valid.
 */
export function patternFault(pattern: string): string | undefined {
  try {
    Regex.compile(pattern, { isWhole: true, dotMatchesNewline: true })
    return undefined
  } catch (error) {
    if (error instanceof SluiceError) throw error
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'not understood'
  }
}

export function makeMatcher(label: string, op: MatchOp, value: string, span: Span, report: Report): Matcher {
  const fault = op === '=~' || op === '!~' ? patternFault(value) : undefined
  if (fault !== undefined) report(promqlDiagnostic('bad-regex', { message: fault }, span))
  return { label, op, value }
}

/** True if the matcher accepts a series that lacks the label. */
export function matchesEmpty(matcher: Matcher): boolean {
  switch (matcher.op) {
    case '=':
      return matcher.value === ''
    case '!=':
      return matcher.value !== ''
    case '=~':
    case '!~': {
      if (patternFault(matcher.value) !== undefined) return false
      const matches = Regex.compile(matcher.value, { isWhole: true, dotMatchesNewline: true }).test('')
      return matches === (matcher.op === '=~')
    }
  }
}
