import type { SeriesPlan, SeriesSelect } from './nodes.ts'
import { seriesSignatures, type SeriesType } from './signatures.ts'

/** Returns the inputs of a node in evaluation order. */
export function seriesInputs(node: SeriesPlan): readonly SeriesPlan[] {
  switch (node.kind) {
    case 'series-number':
    case 'series-text':
    case 'series-select':
    case 'series-logs':
      return []
    case 'series-range':
      return [node.select]
    case 'series-subquery':
    case 'series-unary':
      return [node.input]
    case 'series-aggregate':
      return node.param === undefined ? [node.input] : [node.param, node.input]
    case 'series-binary':
      return [node.lhs, node.rhs]
    case 'series-call':
      return node.args
  }
}

/** Replaces the inputs of a node; returns the same object if none changed. */
export function mapSeriesInputs(node: SeriesPlan, map: (input: SeriesPlan) => SeriesPlan): SeriesPlan {
  switch (node.kind) {
    case 'series-number':
    case 'series-text':
    case 'series-select':
    case 'series-logs':
      return node
    case 'series-range': {
      const select = map(node.select)
      return select === node.select || select.kind !== 'series-select' ? node : { ...node, select }
    }
    case 'series-subquery':
    case 'series-unary': {
      const input = map(node.input)
      return input === node.input ? node : { ...node, input }
    }
    case 'series-aggregate': {
      const input = map(node.input)
      const param = node.param === undefined ? undefined : map(node.param)
      return input === node.input && param === node.param ? node : { ...node, input, param }
    }
    case 'series-binary': {
      const lhs = map(node.lhs)
      const rhs = map(node.rhs)
      return lhs === node.lhs && rhs === node.rhs ? node : { ...node, lhs, rhs }
    }
    case 'series-call': {
      const args = node.args.map((arg) => map(arg))
      return args.every((arg, i) => arg === node.args[i]) ? node : { ...node, args }
    }
  }
}

/** Returns all selectors below a node, also inside ranges and subqueries. */
export function seriesSelects(node: SeriesPlan): readonly SeriesSelect[] {
  if (node.kind === 'series-select') return [node]
  return seriesInputs(node).flatMap((input) => seriesSelects(input))
}

/** Rewrites every selector at any depth. This function is used to set guards. */
export function mapSeriesSelects(node: SeriesPlan, map: (select: SeriesSelect) => SeriesSelect): SeriesPlan {
  if (node.kind === 'series-select') return map(node)
  return mapSeriesInputs(node, (input) => mapSeriesSelects(input, map))
}

/** Returns the type of a node's value at one step. */
export function seriesType(node: SeriesPlan): SeriesType {
  switch (node.kind) {
    case 'series-number':
      return 'scalar'
    case 'series-text':
      return 'string'
    case 'series-select':
    case 'series-aggregate':
      return 'vector'
    case 'series-range':
    case 'series-subquery':
      return 'matrix'
    case 'series-unary':
      return seriesType(node.input)
    case 'series-binary':
      return seriesType(node.lhs) === 'scalar' && seriesType(node.rhs) === 'scalar' ? 'scalar' : 'vector'
    case 'series-logs':
      return node.gives === 'samples' ? 'matrix' : 'vector'
    case 'series-call':
      return seriesSignatures.get(node.name)?.returns ?? 'vector'
  }
}
