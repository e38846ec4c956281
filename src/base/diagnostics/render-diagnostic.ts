import { hasMember, checkArgument } from '../options.ts'
import { LINE_CHARS } from '../tuning.ts'
import type { Diagnostic } from './diagnostic.ts'
import { printJsonPath } from '../json.ts'
import { spanOf } from './origin.ts'
import { printable, printableLines } from '../printable.ts'
import { lineColumnAt } from './span.ts'

/**
 * Formats a diagnostic as several lines: the message, the source line with carets under the span, notes and fixes. A
 * long line is shortened around the span. Control characters are escaped.
 */
export function renderDiagnostic(diagnostic: Diagnostic, source: string, name = 'query'): string {
  checkArgument(
    typeof source === 'string',
    source,
    'the text that the diagnostic is about',
    'renderDiagnostic(error.diagnostics[0], text)',
  )
  checkArgument(
    hasMember(diagnostic, 'origin'),
    diagnostic,
    'a diagnostic',
    'renderDiagnostic(error.diagnostics[0], text)',
  )
  const lines = [`${diagnostic.severity}[${diagnostic.code}]: ${diagnostic.message}`]
  const span = spanOf(diagnostic.origin)
  if (span !== undefined) {
    const { line, column } = lineColumnAt(source, span.start)
    const lineStart = span.start - (column - 1)
    const newline = source.indexOf('\n', lineStart)
    const lineEnd = newline === -1 ? source.length : newline
    const from = lineEnd - lineStart > LINE_CHARS ? Math.max(lineStart, span.start - LINE_CHARS / 2) : lineStart
    const to = Math.min(lineEnd, from + LINE_CHARS)
    const before = printable(source.slice(from, span.start))
    const marked = printable(source.slice(span.start, Math.min(span.end, to)))
    const excerpt = before + marked + printable(source.slice(Math.max(span.start, Math.min(span.end, to)), to))
    const gutter = ' '.repeat(String(line).length)
    lines.push(`${gutter}--> ${printable(name)}:${line}:${column}`, `${gutter} |`, `${line} | ${excerpt}`)
    lines.push(`${gutter} | ${' '.repeat(before.length)}${'^'.repeat(Math.max(1, marked.length))}`)
  } else if (diagnostic.origin.kind === 'json') {
    lines.push(`  at ${printJsonPath(diagnostic.origin.path)}`)
  }
  for (const note of diagnostic.notes) lines.push(`  note: ${note}`)
  for (const fix of diagnostic.fixes) lines.push(`  fix: ${fix.title}`)
  return printableLines(lines.join('\n'))
}
