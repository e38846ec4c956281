import { METRIC_NAME, type Labels } from '../../data/index.ts'
import { invariant } from '../../base/index.ts'
import type { SeriesColumn } from './columns.ts'
import type { MatrixValue, ScalarValue, SeriesContext, SeriesValue, VectorValue } from './definition.ts'

/** Labels that describe a series. They are dropped together with the metric name. */
export const METADATA_LABELS: readonly string[] = [METRIC_NAME, '__type__', '__unit__']

export function scalar(values: Float64Array): ScalarValue {
  return { kind: 'scalar', values }
}

export function vector(series: readonly SeriesColumn[], isOrdered = false): VectorValue {
  return { kind: 'vector', series, isOrdered }
}

export function scalarArg(args: readonly SeriesValue[], index: number): Float64Array {
  const arg = args[index]
  invariant(arg?.kind === 'scalar', 'argument is a scalar')
  return arg.values
}

export function vectorArg(args: readonly SeriesValue[], index: number): VectorValue {
  const arg = args[index]
  invariant(arg?.kind === 'vector', 'argument is a vector')
  return arg
}

export function matrixArg(args: readonly SeriesValue[], index: number): MatrixValue {
  const arg = args[index]
  invariant(arg?.kind === 'matrix', 'argument is a range vector')
  return arg
}

export function textArg(args: readonly SeriesValue[], index: number): string {
  const arg = args[index]
  invariant(arg?.kind === 'string', 'argument is a text')
  return arg.value
}

/**
 * Returns the labels of a derived series: without the metric name, or with `isNameDropped` set if names are dropped at
 * the end of the query.
 */
export function dropName(labels: Labels, context: SeriesContext): { labels: Labels; isNameDropped: boolean } {
  if (context.flags.isNameRemovalDelayed) return { labels, isNameDropped: true }
  return { labels: labels.without(METADATA_LABELS), isNameDropped: false }
}
