import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import { compileMatcher } from '../samples/match-labels.ts'
import type { SqlValue } from './connection.ts'

/** An SQL condition on `metric_series.id`, with its parameters. */
export interface SeriesCondition {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Returns the distinct values of a label, each with the id of its pair of label and value. */
export type PairsOf = (label: string) => readonly { readonly id: number; readonly value: string }[]

const HAS_PAIR = 'id IN (SELECT series_id FROM metric_postings WHERE pair_id IN (SELECT value FROM json_each(?)))'

/**
 * Compiles a matcher to a condition on the label pairs of a series. The matcher tests each distinct value of the label
 * once; SQLite finds the series of the pairs that passed. If the matcher accepts a missing label, the condition
 * excludes the series of the pairs that failed.
 */
function matcherCondition(matcher: LabelMatcher, pairsOf: PairsOf): SeriesCondition {
  const passes = compileMatcher(matcher)
  const isMissingFine = passes('')
  const pairs = pairsOf(matcher.label).filter(({ value }) => passes(value) !== isMissingFine)
  const ids = JSON.stringify(pairs.map(({ id }) => id))
  return { sql: isMissingFine ? `NOT (${HAS_PAIR})` : HAS_PAIR, values: [ids] }
}

function joined(conditions: readonly SeriesCondition[], word: 'AND' | 'OR', empty: string): SeriesCondition {
  if (conditions.length === 0) return { sql: empty, values: [] }
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(` ${word} `),
    values: conditions.flatMap(({ values }) => values),
  }
}

export function matchersCondition(matchers: readonly LabelMatcher[], pairsOf: PairsOf): SeriesCondition {
  return joined(
    matchers.map((matcher) => matcherCondition(matcher, pairsOf)),
    'AND',
    'TRUE',
  )
}

export function anyMatchersCondition(filters: readonly (readonly LabelMatcher[])[], pairsOf: PairsOf): SeriesCondition {
  if (filters.length === 0) return { sql: 'TRUE', values: [] }
  return joined(
    filters.map((matchers) => matchersCondition(matchers, pairsOf)),
    'OR',
    'FALSE',
  )
}

export function guardCondition(guard: LabelPredicate | undefined, pairsOf: PairsOf): SeriesCondition {
  if (guard === undefined) return { sql: 'TRUE', values: [] }
  if (guard.kind === 'matcher') return matcherCondition(guard.matcher, pairsOf)
  const args = guard.args.map((arg) => guardCondition(arg, pairsOf))
  if (guard.kind === 'all') return joined(args, 'AND', 'TRUE')
  const any = joined(args, 'OR', 'FALSE')
  return guard.kind === 'any' ? any : { sql: `NOT (${any.sql})`, values: any.values }
}

export function both(a: SeriesCondition, b: SeriesCondition): SeriesCondition {
  return joined([a, b], 'AND', 'TRUE')
}
