import { present } from '../../../base/index.ts'
import { METRIC_NAME } from '../../../data/index.ts'
import { seriesFunctions } from '../../../functions/series/index.ts'
import {
  seriesType,
  type LabelMatcher,
  type SeriesBinary,
  type SeriesMatching,
  type SeriesPlan,
  type SeriesSelect,
} from '../../../plan/series/index.ts'
import { rewriteSeries } from '../rewrite.ts'
import type { SeriesRule } from '../rule.ts'

const NOT_MATCHED = new Set([METRIC_NAME, '__type__', '__unit__'])

/**
 * Applies `map` to the single selector that all series of a node come from, if the node passes labels unchanged.
 * Returns `undefined` if there is no such selector.
 */
function mapSource(node: SeriesPlan, map: (select: SeriesSelect) => SeriesSelect): SeriesPlan | undefined {
  switch (node.kind) {
    case 'series-select':
      return map(node)
    case 'series-range': {
      const select = map(node.select)
      return select === node.select ? node : { ...node, select }
    }
    case 'series-unary': {
      const input = mapSource(node.input, map)
      return input === undefined || input === node.input ? input && node : { ...node, input }
    }
    case 'series-call': {
      const fn = seriesFunctions.get(node.name)
      // An error is part of the answer, so a node that can fail on a series must read all of them.
      if (fn?.keepsLabels !== true || fn.checksParameters === true) return undefined
      const at = node.args.findIndex((arg) => seriesType(arg) === 'vector' || seriesType(arg) === 'matrix')
      if (at === -1) return undefined
      const source = mapSource(present(node.args[at]), map)
      return source === undefined || source === node.args[at]
        ? source && node
        : { ...node, args: node.args.with(at, source) }
    }
    case 'series-binary': {
      if (node.matching !== undefined) return undefined
      const side = seriesType(node.lhs) === 'scalar' ? 'rhs' : 'lhs'
      if (seriesType(node[side]) === 'scalar') return undefined
      const source = mapSource(node[side], map)
      return source === undefined || source === node[side] ? source && node : { ...node, [side]: source }
    }
    case 'series-number':
    case 'series-text':
    case 'series-subquery':
    case 'series-aggregate':
      return undefined
  }
}

function sourceOf(node: SeriesPlan): SeriesSelect | undefined {
  let found: SeriesSelect | undefined
  const mapped = mapSource(node, (select) => (found = select))
  return mapped === undefined ? undefined : found
}

/** True if all series of the selector have one metric name, so that dropping the name cannot make duplicates. */
function hasOneName({ matchers }: SeriesSelect): boolean {
  return matchers.some(({ label, op, value }) => label === METRIC_NAME && op === '=' && value !== '')
}

function isMatched(label: string, { isOn, labels }: SeriesMatching): boolean {
  return !NOT_MATCHED.has(label) && labels.includes(label) === isOn
}

function withMatchers(node: SeriesPlan, from: SeriesSelect, matching: SeriesMatching): SeriesPlan {
  const moved = from.matchers.filter(({ label }) => isMatched(label, matching))
  return (
    mapSource(node, (select) => {
      const isKnown = (matcher: LabelMatcher): boolean =>
        select.matchers.some(
          (own) => own.label === matcher.label && own.op === matcher.op && own.value === matcher.value,
        )
      const more = moved.filter((matcher) => !isKnown(matcher))
      return more.length === 0 ? select : { ...select, matchers: [...select.matchers, ...more] }
    }) ?? node
  )
}

/** True if one-to-one matching on all labels can never fail because of duplicate partners. */
function isSafeArithmetic({ op, matching }: SeriesBinary): boolean {
  return (
    op !== 'or' &&
    matching !== undefined &&
    matching.cardinality === 'one-to-one' &&
    !matching.isOn &&
    matching.labels.length === 0 &&
    matching.fillLeft === undefined &&
    matching.fillRight === undefined
  )
}

function push(node: SeriesPlan): SeriesPlan {
  if (node.kind !== 'series-binary' || node.matching === undefined) return node
  const { op, matching } = node
  const left = sourceOf(node.lhs)
  const right = sourceOf(node.rhs)
  if (left === undefined || right === undefined || !hasOneName(left) || !hasOneName(right)) return node
  const isBothWays = op === 'and' || isSafeArithmetic(node)
  if (!isBothWays && op !== 'unless') return node
  const rhs = withMatchers(node.rhs, left, matching)
  const lhs = isBothWays ? withMatchers(node.lhs, right, matching) : node.lhs
  return lhs === node.lhs && rhs === node.rhs ? node : { ...node, lhs, rhs }
}

/**
 * Adds the matchers of each side of a binary operation to the other side: only series that match both can have a
 * partner.
 */
export const pushMatchers: SeriesRule = {
  name: 'push-matchers',
  summary: 'Read each side of an operator with the tests of the other side',
  apply: (plan) => rewriteSeries(plan, push),
}
