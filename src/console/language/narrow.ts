import { isError } from '../../base/index.ts'
import { parse, printerOf, type Query } from '../../lang/log/index.ts'
import type { NarrowRequest } from './requests.ts'

/** Whether a filter keeps every row, so that another one can replace it. */
function keepsAll({ filter }: Query, written: string): boolean {
  return filter === undefined || written === '*' || written === ''
}

/**
 * Returns the query with one more condition on the rows that it reads. Only the place behind its filter changes; a text
 * with errors gets the condition in front.
 */
export function narrowed({ text, dialect, field, value, isExcluded }: NarrowRequest): string {
  const words = printerOf(dialect)
  const condition = `${isExcluded ? '!' : ''}${words.text(field)}:=${words.text(value)}`
  if (text.trim() === '') return condition
  const { ast, diagnostics } = parse(text, { dialect })
  const place = ast.filter?.span
  if (place === undefined || diagnostics.some(isError)) return `${condition} ${text}`
  const [before, filter, after] = [
    text.slice(0, place.start),
    text.slice(place.start, place.end),
    text.slice(place.end),
  ]
  if (keepsAll(ast, filter.trim())) return `${before}${condition}${after}`
  const joined = `${before}${filter} ${condition}${after}`
  // The condition must hold for both sides of an `or`.
  const isWhole = ast.filter?.kind !== 'or'
  return isWhole ? joined : `${before}(${filter}) ${condition}${after}`
}
