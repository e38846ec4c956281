import { present } from '../../../src/base/index.ts'
import { parsePromql, STABLE_FEATURES } from '../../../src/lang/promql/index.ts'
import type { MetricAnswer } from './metric-answers.ts'
import { metricDifference } from './metric-answers.ts'
import type { Pair, Rule } from './judge.ts'

/** A query of a comparison, as input of the rules. */
export interface MetricQuestion {
  readonly text: string
  /** Returns the answer of Sluice without optimizer rules. */
  readonly raw: () => Promise<MetricAnswer>
}

type MetricRule = Rule<MetricQuestion, MetricAnswer>

/** Matches functions whose last digits depend on the mathematical library. */
const LIBRARY =
  /\b(exp|ln|log2|log10|a?(sin|cos|tan)h?|atan2|double_exponential_smoothing|histogram_(quantiles?|fraction|stddev|stdvar))\b|\^/
/** Largest difference between the results of two mathematical libraries, in units of the machine epsilon. */
const MOST_STEPS = 4

function areNeighbours(a: string, b: string): boolean {
  if (a === b) return true
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= MOST_STEPS * Number.EPSILON * Math.max(Math.abs(x), Math.abs(y))
}

/** Replaces values of Sluice with those of the server if they differ no more than two mathematical libraries do. */
function settleDigits(pair: Pair<MetricAnswer>, { text }: MetricQuestion): Pair<MetricAnswer> {
  const { ours, theirs } = pair
  if ('refused' in ours || 'refused' in theirs || !LIBRARY.test(text)) return pair
  let isChanged = false
  const values = new Map(
    [...ours.values].map(([key, value]) => {
      const other = theirs.values.get(key)
      if (other === undefined || other === value || !areNeighbours(value, other)) return [key, value]
      isChanged = true
      return [key, other]
    }),
  )
  return isChanged ? { ours: { ...ours, values }, theirs } : pair
}

/** Rules that also apply to comparisons with Sluice's own unoptimized plans. */
export const ownMetricRules: readonly MetricRule[] = [
  {
    ruling: 'no rule changes an answer',
    what: 'a part that a rule has left out gives no note either',
    explains: async ({ ours, theirs }, { raw }) => {
      if ('refused' in ours || 'refused' in theirs) return false
      if (ours.notes.some((note) => !theirs.notes.includes(note))) return false
      if (metricDifference({ ours: { ...ours, notes: theirs.notes }, theirs }, false) !== undefined) return false
      const plain = await raw()
      return !('refused' in plain) && plain.notes.join('\n') === theirs.notes.join('\n')
    },
  },
]

/** Versions of the reference implementation for which there are rules. */
export const references = ['3.5', '3.14'] as const
export type Reference = (typeof references)[number]

/** Matches functions, modifiers and operators that version 3.5 lacks. */
const SINCE_3_5 =
  /\b(first_over_time|ts_of_first_over_time|histogram_quantiles|fill(?:_left|_right)?|anchored|smoothed|step|range)\b|<\/|>\//
const PLACE = / \(\d+:\d+\)$/
/**
 * Matches aggregations and subqueries for which version 3.5 reports the start of the query as the position of notes.
 */
const UNPLACED = /\b(topk|bottomk|limitk|limit_ratio)\b|\[[^\]]*:/

/** Applies a change to the notes of both answers and removes duplicates. */
function settleNotes(pair: Pair<MetricAnswer>, change: (note: string) => string): Pair<MetricAnswer> {
  const { ours, theirs } = pair
  if ('refused' in ours || 'refused' in theirs || ours.notes.join('\n') === theirs.notes.join('\n')) return pair
  const changed = (notes: readonly string[]): readonly string[] => [...new Set(notes.map(change))].toSorted()
  return {
    ours: { ...ours, notes: changed(ours.notes) },
    theirs: { ...theirs, notes: changed(theirs.notes) },
  }
}

/** Rules for version 3.5 only. Where the two versions differ, Sluice follows 3.14. */
const olderRules: readonly MetricRule[] = [
  {
    ruling: '§5, version 3.5',
    what: 'it refuses functions, modifiers and operators that came later',
    explains: ({ ours, theirs }, { text }) => 'refused' in theirs && !('refused' in ours) && SINCE_3_5.test(text),
  },
  {
    ruling: '§5, version 3.5',
    what: 'its note on buckets that are not monotonic has no range and no difference',
    settle: (pair) => settleNotes(pair, (note) => note.replace(/(fixed for monotonicity).*?(?= \(\d+:\d+\)$|$)/, '$1')),
  },
  {
    ruling: '§5, version 3.5',
    what: 'its notes on subqueries and rankings stand at the start of the query',
    settle: (pair, { text }) => (UNPLACED.test(text) ? settleNotes(pair, (note) => note.replace(PLACE, '')) : pair),
  },
]

/** Returns the rules for answers that may differ from those of a version of the reference implementation. */
export const metricRules = (reference: Reference): readonly MetricRule[] => [
  {
    ruling: '§5, flags',
    what: 'all flags are on',
    explains: ({ ours, theirs }, { text }) =>
      'refused' in theirs &&
      !('refused' in ours) &&
      parsePromql(text, { features: STABLE_FEATURES }).ast === undefined &&
      parsePromql(text).ast !== undefined,
  },
  {
    ruling: '§5, digits',
    what: `functions of a mathematical library are within ${MOST_STEPS} steps of each other`,
    settle: settleDigits,
  },
  {
    ruling: '§5, notes',
    what: 'two calls that lift counts of one metric are two notes, each with its place',
    settle: (pair) => {
      const { ours, theirs } = pair
      if ('refused' in ours || 'refused' in theirs) return pair
      const isLifted = (note: string): boolean => note.includes('fixed for monotonicity')
      // If both answers have the same number of such notes, their positions must agree too.
      if (ours.notes.filter(isLifted).length === theirs.notes.filter(isLifted).length) return pair
      return settleNotes(pair, (note) => (isLifted(note) ? note.replace(PLACE, '') : note))
    },
  },
  {
    ruling: '§5, notes',
    what: 'a float and a histogram of one label set at one time are an error',
    explains: ({ ours, theirs }) => 'refused' in ours && !('refused' in theirs) && /same labelset/.test(ours.refused),
  },
  ...(reference === '3.5' ? olderRules : []),
  present(ownMetricRules[0]),
]
