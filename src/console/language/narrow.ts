import { isError } from '../../base/index.ts'
import { parse, printerOf, type Query } from '../../lang/log/index.ts'
import type { Dialect } from '../ask/requests.ts'
import type { NarrowRequest } from './requests.ts'

/** True if a filter matches every row, so that a new filter can replace it. */
function keepsAll({ filter }: Query, written: string): boolean {
  return filter === undefined || written === '*' || written === ''
}

/**
 * Adds a condition to the filter of a query. The rest of the text stays unchanged. In a text with errors, the condition
 * is inserted at the beginning.
 */
export function narrowed({
  text,
  dialect,
  field,
  value,
  isExcluded,
}: NarrowRequest & { readonly dialect: Dialect }): string {
  const words = printerOf(dialect)
  const condition = `${isExcluded ? '!' : ''}${words.text(field)}:=${words.text(value)}`
  if (text.trim() === '') return condition
  const { ast, diagnostics } = parse(text, { dialect })
  const span = ast.filter?.span
  if (span === undefined || diagnostics.some(isError)) return `${condition} ${text}`
  const [before, filter, after] = [text.slice(0, span.start), text.slice(span.start, span.end), text.slice(span.end)]
  if (keepsAll(ast, filter.trim())) return `${before}${condition}${after}`
  const joined = `${before}${filter} ${condition}${after}`
  // With an `or`, parentheses make the condition apply to both sides.
  const isWhole = ast.filter?.kind !== 'or'
  return isWhole ? joined : `${before}(${filter}) ${condition}${after}`
}
