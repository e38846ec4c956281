import { floatOps } from '../../../functions/series/index.ts'
import type { SeriesNumber, SeriesPlan } from '../../../plan/series/index.ts'
import { rewriteSeries } from '../rewrite.ts'
import type { SeriesRule } from '../rule.ts'

function numberOf(node: SeriesPlan): number | undefined {
  return node.kind === 'series-number' ? node.value : undefined
}

function folded(node: SeriesPlan, value: number): SeriesNumber {
  return { kind: 'series-number', value, origin: node.origin }
}

function fold(node: SeriesPlan): SeriesPlan {
  if (node.kind === 'series-unary') {
    const value = numberOf(node.input)
    return value === undefined ? node : folded(node, node.op === '-' ? -value : value)
  }
  if (node.kind !== 'series-binary') return node
  const left = numberOf(node.lhs)
  const right = numberOf(node.rhs)
  if (left === undefined || right === undefined) return node
  const { op } = node
  return op === 'and' || op === 'or' || op === 'unless' ? node : folded(node, floatOps[op](left, right))
}

/** Computes arithmetic between literals once, before anything is read. */
export const foldScalars: SeriesRule = {
  name: 'fold-scalars',
  summary: 'Work out arithmetic between numbers',
  apply: (plan) => rewriteSeries(plan, fold),
}
