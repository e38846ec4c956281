import { present } from '../../src/base/index.ts'
import { parsePromql, STABLE_FEATURES } from '../../src/lang/promql/index.ts'
import type { MetricAnswer } from './metric-answers.ts'
import { metricDifference } from './metric-answers.ts'
import type { Pair, Rule } from './judge.ts'

/** A query of a comparison, as the rules look at it. */
export interface MetricQuestion {
  readonly text: string
  /** The answer of our plan as written, no rule applied. */
  readonly raw: () => Promise<MetricAnswer>
}

type MetricRule = Rule<MetricQuestion, MetricAnswer>

/** Calls whose last digits are those of a mathematical library. */
const LIBRARY =
  /\b(exp|ln|log2|log10|a?(sin|cos|tan)h?|atan2|double_exponential_smoothing|histogram_(quantiles?|fraction|stddev|stdvar))\b|\^/
/** As many of the smallest steps between floats as two such libraries are apart. */
const MOST_STEPS = 4

function areNeighbours(a: string, b: string): boolean {
  if (a === b) return true
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= MOST_STEPS * Number.EPSILON * Math.max(Math.abs(x), Math.abs(y))
}

/** Values of ours that are as near to theirs as libraries are, put in their place. */
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

/** What the row model is compared by as well. */
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

/** What rulings say of answers that differ from those of the reference. */
export const metricRules: readonly MetricRule[] = [
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
  present(ownMetricRules[0]),
]
