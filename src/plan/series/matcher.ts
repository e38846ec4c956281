/** A test of one label. A missing label is the empty string. Patterns are RE2 and must match the whole value. */
export interface LabelMatcher {
  readonly label: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

/**
 * A condition on the labels of a series, with AND, OR and NOT. Guards use it: a source applies the guard before
 * anything else reads a series.
 */
export type LabelPredicate =
  | { readonly kind: 'all'; readonly args: readonly LabelPredicate[] }
  | { readonly kind: 'any'; readonly args: readonly LabelPredicate[] }
  | { readonly kind: 'none-of'; readonly args: readonly LabelPredicate[] }
  | { readonly kind: 'matcher'; readonly matcher: LabelMatcher }

export function printMatcher(matcher: LabelMatcher): string {
  return `${matcher.label}${matcher.op}${JSON.stringify(matcher.value)}`
}

export function printPredicate(predicate: LabelPredicate): string {
  if (predicate.kind === 'matcher') return printMatcher(predicate.matcher)
  const args = predicate.args.map((arg) => printPredicate(arg))
  if (predicate.kind === 'none-of') return `not (${args.join(' or ')})`
  return `(${args.join(predicate.kind === 'all' ? ' and ' : ' or ')})`
}
