import { atPath, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { promqlDiagnostic } from './diagnostics.ts'
import type { Matcher } from './ast.ts'
import { patternFault } from './parser/read-tokens.ts'

/** A condition in a request body: a label and the comparisons that it must satisfy. */
export interface LabelCondition {
  readonly key?: string | undefined
  readonly filters?: readonly { readonly op?: string | undefined; readonly value?: unknown }[] | undefined
}

/**
 * One comparison of a label: with a string that the value must equal, or with a pattern that must match the whole
 * value. If negated, the value must not equal or match.
 */
interface Comparison {
  readonly isNegative: boolean
  readonly text?: string
  readonly pattern?: string
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function anyOf(patterns: readonly string[]): string {
  return patterns.join('|')
}

/**
 * Returns the regular expression for a value with the rules of the log language: ignores case, and `*` matches any
 * text.
 */
function globPattern(text: string): string {
  return `(?i:${text
    .split('*')
    .map((part) => escapePattern(part))
    .join('.*')})`
}

type Affix = 'start' | 'end' | 'inside'

function affixPattern(affix: Affix, value: unknown, isCaseBlind: boolean): string {
  const escaped = escapePattern(textOf(value))
  const pattern = affix === 'start' ? `${escaped}.*` : affix === 'end' ? `.*${escaped}` : `.*${escaped}.*`
  return isCaseBlind ? `(?i:${pattern})` : pattern
}

function equalTo(value: unknown): Comparison {
  if (!Array.isArray(value)) return { isNegative: false, text: textOf(value) }
  return { isNegative: false, pattern: anyOf(value.map((item: unknown) => escapePattern(textOf(item)))) }
}

function affix(where: Affix, isCaseBlind: boolean): (value: unknown) => Comparison {
  return (value) => ({ isNegative: false, pattern: affixPattern(where, value, isCaseBlind) })
}

function matching(value: unknown): Comparison {
  return { isNegative: false, pattern: globPattern(textOf(value)) }
}

function searching(value: unknown): Comparison {
  return { isNegative: false, pattern: `.*(?:${textOf(value)}).*` }
}

function not(positive: (value: unknown) => Comparison): (value: unknown) => Comparison {
  return (value) => ({ ...positive(value), isNegative: true })
}

/** Label comparisons by operator name. Each function converts the value of a filter to a comparison. */
const COMPARISONS: ReadonlyMap<string, (value: unknown) => Comparison> = new Map([
  ['eq', equalTo],
  ['ne', not(equalTo)],
  ['in', equalTo],
  ['notin', not(equalTo)],
  ['match', matching],
  ['not_match', not(matching)],
  ['regex', searching],
  ['notregex', not(searching)],
  ['exists', () => ({ isNegative: true, text: '' })],
  ['notexists', () => ({ isNegative: false, text: '' })],
  ['contains', affix('inside', false)],
  ['notcontains', not(affix('inside', false))],
  ['icontains', affix('inside', true)],
  ['inotcontains', not(affix('inside', true))],
  ['startswith', affix('start', false)],
  ['istartswith', affix('start', true)],
  ['endswith', affix('end', false)],
  ['iendswith', affix('end', true)],
])

function toMatcher(label: string, comparison: Comparison): Matcher {
  const { isNegative, text, pattern } = comparison
  if (text !== undefined) return { label, op: isNegative ? '!=' : '=', value: text }
  return { label, op: isNegative ? '!~' : '=~', value: pattern ?? '' }
}

function asPattern(comparison: Comparison): string {
  return comparison.text === undefined ? `(?:${comparison.pattern ?? ''})` : escapePattern(comparison.text)
}

/**
 * Converts comparisons of one label to matchers. Alternatives are merged into one pattern; each negation stays a
 * separate matcher.
 */
function combine(label: string, comparisons: readonly Comparison[]): readonly Matcher[] {
  const positive = comparisons.filter((comparison) => !comparison.isNegative)
  const negative = comparisons.filter((comparison) => comparison.isNegative)
  const matchers = negative.map((comparison) => toMatcher(label, comparison))
  const [only] = positive
  if (only === undefined) return matchers
  if (positive.length === 1) return [toMatcher(label, only), ...matchers]
  return [{ label, op: '=~', value: anyOf(positive.map((comparison) => asPattern(comparison))) }, ...matchers]
}

export interface MatchersResult {
  readonly matchers: readonly Matcher[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Converts conditions to label matchers. All conditions must hold; filters within one condition are alternatives.
 * `path` is the path of the list in the request body.
 */
export function matchersOf(conditions: readonly LabelCondition[] | undefined, path: JsonPath): MatchersResult {
  const matchers: Matcher[] = []
  const diagnostics: Diagnostic[] = []
  for (const [i, condition] of (conditions ?? []).entries()) {
    const label = condition.key ?? ''
    if (label === '') {
      diagnostics.push(promqlDiagnostic('condition-label', undefined, atPath([...path, i])))
      continue
    }
    const comparisons: Comparison[] = []
    for (const [j, filter] of (condition.filters ?? []).entries()) {
      const op = (filter.op ?? 'eq').trim()
      const comparison = COMPARISONS.get(op.toLowerCase())?.(filter.value)
      const fault = comparison?.pattern === undefined ? undefined : patternFault(comparison.pattern)
      const origin = atPath([...path, i, 'filters', j])
      if (comparison === undefined) {
        diagnostics.push(promqlDiagnostic('condition-operator', { op, known: [...COMPARISONS.keys()] }, origin))
      } else if (fault !== undefined) diagnostics.push(promqlDiagnostic('bad-regex', { message: fault }, origin))
      else comparisons.push(comparison)
    }
    matchers.push(...combine(label, comparisons))
  }
  return { matchers, diagnostics }
}
