import { literalAlternatives, present } from '../../../base/index.ts'
import { METRIC_NAME } from '../../../data/index.ts'
import { seriesFunctions } from '../../../functions/series/index.ts'
import type { LabelMatcher, SeriesPlan, SeriesSelect } from '../../../plan/series/index.ts'
import type { SeriesRule } from '../rule.ts'
import { rewriteSeries } from '../rewrite.ts'

/** Replaces a pattern that is one literal by an equality, which an index can answer. */
function simple(matcher: LabelMatcher): LabelMatcher {
  if (matcher.op !== '=~' && matcher.op !== '!~') return matcher
  const literals = matcher.value === '' ? [''] : literalAlternatives(matcher.value)
  return literals?.length === 1 ? { ...matcher, op: matcher.op === '=~' ? '=' : '!=' } : matcher
}

/** True if the matcher matches every value. */
function isAlwaysTrue({ op, value }: LabelMatcher): boolean {
  return op === '=~' && value === '.*'
}

function rank({ label, op }: LabelMatcher): number {
  return (op === '=' ? 0 : op === '=~' ? 2 : 4) + (label === METRIC_NAME ? 0 : 1)
}

function isSame(a: LabelMatcher, b: LabelMatcher): boolean {
  return a.label === b.label && a.op === b.op && a.value === b.value
}

function compare(a: LabelMatcher, b: LabelMatcher): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  const [left, right] = [`${a.label}${a.op}${a.value}`, `${b.label}${b.op}${b.value}`]
  return left < right ? -1 : left > right ? 1 : 0
}

function tidied(select: SeriesSelect): SeriesSelect {
  const { matchers } = select
  const simpler = matchers.map(simple).filter((matcher) => !isAlwaysTrue(matcher))
  const sorted = simpler
    .filter((matcher, i) => simpler.findIndex((other) => isSame(matcher, other)) === i)
    .toSorted(compare)
  const isUnchanged =
    sorted.length === matchers.length && sorted.every((matcher, i) => isSame(matcher, present(matchers[i])))
  return isUnchanged ? select : { ...select, matchers: sorted }
}

function tidy(node: SeriesPlan, isKept: (select: SeriesSelect) => boolean): SeriesPlan {
  return node.kind === 'series-select' && !isKept(node) ? tidied(node) : node
}

/** Sorts matchers, the most selective kind first, and removes duplicates, so that equivalent selectors become equal. */
export const tidyMatchers: SeriesRule = {
  name: 'tidy-matchers',
  summary: 'Drop repeated and empty tests, write literal patterns as equalities, put the narrowest first',
  apply: (plan) => {
    const kept = new Set<SeriesPlan>()
    rewriteSeries(plan, (node) => {
      if (node.kind !== 'series-call' || seriesFunctions.get(node.name)?.readsMatchers !== true) return node
      const [arg] = node.args
      if (arg !== undefined) kept.add(arg.kind === 'series-range' ? arg.select : arg)
      return node
    })
    return rewriteSeries(plan, (node) => tidy(node, (select) => kept.has(select)))
  },
}
