import { regexpFault } from '../../../base/index.ts'
import type { TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Syntax } from '../syntax.ts'

/** Reports faults of a regular expression, and unlikely meanings. */
export function checkRegexp($: Syntax, value: TextValue): void {
  $.checkPattern(value.text, value.span)
  const reason = regexpFault(value.text)
  if (reason !== undefined) $.report(logDiagnostic('bad-regexp', { reason }, value.span))
  warnBackspace($, value, true)
}

/** Warns of `"\bword"`: in quotes with escapes this is a backspace, which hardly anyone searches for. */
export function warnBackspace($: Syntax, { text, span }: TextValue, isRegexp: boolean): void {
  if (!text.includes('\b')) return
  const written = $.session.source.slice(span.start, span.end)
  if (!/^["']/.test(written)) return
  const places = [...written.matchAll(/\\./gs)]
    .filter(([escape]) => escape === '\\b')
    .map(({ index }) => span.start + index)
  const [first] = places
  if (first === undefined) return
  $.report(logDiagnostic('backspace', { isRegexp, places }, { start: first, end: first + 2 }))
}
