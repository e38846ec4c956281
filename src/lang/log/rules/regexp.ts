import { regexpFault } from '../../../base/index.ts'
import type { TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Syntax } from '../syntax.ts'

/** Reports errors in a regular expression, and warns of parts that probably have an unintended meaning. */
export function checkRegexp($: Syntax, value: TextValue): void {
  $.checkPattern(value.text, value.span)
  const reason = regexpFault(value.text)
  if (reason !== undefined) $.report(logDiagnostic('bad-regexp', { reason }, value.span))
  warnBackspace($, value, true)
}

/** Warns of `"\bword"`: in quotes that allow escapes, `\b` is a backspace, which is hardly ever searched for. */
export function warnBackspace($: Syntax, { text, span }: TextValue, isRegexp: boolean): void {
  if (!text.includes('\b')) return
  const written = $.session.source.slice(span.start, span.end)
  if (!/^["']/.test(written)) return
  const offsets = [...written.matchAll(/\\./gs)]
    .filter(([escape]) => escape === '\\b')
    .map(({ index }) => span.start + index)
  const [first] = offsets
  if (first === undefined) return
  $.report(logDiagnostic('backspace', { isRegexp, places: offsets }, { start: first, end: first + 2 }))
}
