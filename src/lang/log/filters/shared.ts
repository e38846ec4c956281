import type { PatternValue } from '../ast.ts'
import type { FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Syntax } from '../syntax.ts'

/** Returns the offset at which a filter begins: the start of its field if there is one, else the next token. */
export function startOf($: Syntax, field: FieldArgument): number {
  const start = $.startOffset()
  return field === undefined ? start : Math.min(field.span.start, start)
}

/** Checks that a value has at most one star, at its end; returns its text and whether it has the star. */
export function starOrNone($: Syntax, value: PatternValue): { readonly text: string; readonly isPrefix: boolean } {
  const { parts, span } = value
  if (parts.length > 2 || (parts.length === 2 && parts[1] !== '')) {
    const text = $.session.source.slice(span.start, span.end)
    $.fail(logDiagnostic('unsupported-wildcard', { text, meant: '' }, span))
  }
  return { text: parts[0] ?? '', isPrefix: parts.length === 2 }
}
