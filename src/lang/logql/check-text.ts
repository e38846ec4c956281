import { compileRegexp, Regex, regexpFault, type Span } from '../../base/index.ts'
import { readCapturePattern, type PatternSegment } from '../../functions/logql/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { logqlDiagnostic } from './diagnostics.ts'
import type { Report } from '../go-scanner/index.ts'

export function checkMatcher({ op, value }: LabelMatcher, where: Span, report: Report): void {
  const reason = op === '=~' || op === '!~' ? regexpFault(value) : undefined
  if (reason !== undefined) report(logqlDiagnostic('bad-regexp', { reason }, where))
}

/** True if a matcher accepts streams that lack the label. An invalid pattern accepts no stream. */
export function passesEmpty({ op, value }: LabelMatcher): boolean {
  if (op === '=') return value === ''
  if (op === '!=') return value !== ''
  if (regexpFault(value) !== undefined) return false
  return Regex.compile(value, { isWhole: true, dotMatchesNewline: true }).test('') === (op === '=~')
}

/** Checks the expression of a `regexp` stage. */
export function checkRegexp(pattern: string, where: Span, report: Report): void {
  const reason = regexpFault(pattern)
  // Two groups with one name are an error of the stage, not of the regular expression.
  const [, twice] = /^duplicate capture group name: `(.*)`$/.exec(reason ?? '') ?? []
  if (twice !== undefined) report(logqlDiagnostic('regexp-groups', { fault: 'duplicate', name: twice }, where))
  else if (reason !== undefined) report(logqlDiagnostic('bad-regexp', { reason, of: 'parser' }, where))
  else if (compileRegexp(pattern, false).groupNames.every((name) => name === undefined)) {
    report(logqlDiagnostic('regexp-groups', { fault: 'unnamed', name: '' }, where))
  }
}

/** Returns the first two captures that have no literal between them; `undefined` if there are none. */
function adjacent(segments: readonly PatternSegment[]): string | undefined {
  for (const [i, segment] of segments.entries()) {
    const before = segments[i - 1]
    if ('capture' in segment && before !== undefined && 'capture' in before)
      return `<${before.capture}><${segment.capture}>`
  }
  return undefined
}

/** Checks the expression of a `pattern` stage. */
export function checkPattern(pattern: string, where: Span, report: Report): void {
  const segments = readCapturePattern(pattern)
  const names = segments.flatMap((segment) =>
    'capture' in segment && segment.capture !== '_' ? [segment.capture] : [],
  )
  const twice = names.find((name, i) => names.indexOf(name) < i)
  const pair = adjacent(segments)
  if (segments.length === 0) report(logqlDiagnostic('bad-pattern', { fault: 'empty', found: '' }, where))
  else if (names.length === 0) report(logqlDiagnostic('bad-pattern', { fault: 'no-capture', found: '' }, where))
  else if (pair !== undefined) report(logqlDiagnostic('bad-pattern', { fault: 'adjacent', found: pair }, where))
  else if (twice !== undefined) report(logqlDiagnostic('bad-pattern', { fault: 'duplicate', found: twice }, where))
}

/** Checks the pattern of a line filter, in which captures must not have names. */
export function checkLinePattern(pattern: string, stage: string, where: Span, report: Report): void {
  const segments = readCapturePattern(pattern)
  const named = segments.find((segment) => 'capture' in segment && segment.capture !== '_')
  const pair = adjacent(segments)
  if (pair !== undefined) report(logqlDiagnostic('bad-pattern', { fault: 'adjacent', found: pair, stage }, where))
  else if (named !== undefined && 'capture' in named) {
    report(logqlDiagnostic('bad-pattern', { fault: 'named', found: `<${named.capture}>`, stage }, where))
  }
}
