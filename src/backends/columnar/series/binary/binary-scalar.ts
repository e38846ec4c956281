import { checkpoint } from '../../../../base/index.ts'
import {
  METADATA_LABELS,
  ColumnBlock,
  FLOAT,
  HISTOGRAM,
  hasAny,
  histogramAt,
  mergeEqualLabels,
  floatOps,
  type ElementOp,
} from '../../../../functions/series/index.ts'
import { scalar, setFloat, setHistogram, vector } from '../../../../functions/series/index.ts'
import type {
  ColumnWriter,
  ScalarValue,
  SeriesColumn,
  SeriesContext,
  VectorValue,
} from '../../../../functions/series/index.ts'
import type { SeriesBinary } from '../../../../plan/series/index.ts'
import { combineMixed, isComparison, type BinaryOperation } from './binary-op.ts'

/** Applies an operator to two scalars at each step. */
export function scalarWithScalar(op: ElementOp, a: ScalarValue, b: ScalarValue): ScalarValue {
  const combine = floatOps[op]
  const values = new Float64Array(a.values.length)
  for (let step = 0; step < values.length; step++) values[step] = combine(a.values[step], b.values[step])
  return scalar(values)
}

/**
 * Applies an operator to each element of a vector and the scalar at the same step. With `isSwapped` the scalar is the
 * left operand.
 */
export function vectorWithScalar(
  node: SeriesBinary,
  input: VectorValue,
  other: ScalarValue,
  isSwapped: boolean,
  context: SeriesContext,
): VectorValue {
  const op = node.op as ElementOp
  const losesName = !isComparison(op) && op !== '</' && op !== '>/' ? true : node.isBool
  const operation: BinaryOperation = { op, origin: node.origin, context }
  const block = new ColumnBlock(input.series.length, context.steps.count, context.budget)
  const columns: SeriesColumn[] = []
  for (const [i, column] of input.series.entries()) {
    checkpoint()
    const isDelayed = context.flags.isNameRemovalDelayed
    const labels = losesName && !isDelayed ? column.labels.without(METADATA_LABELS) : column.labels
    const out = block.column(i, labels, column.isNameDropped || (losesName && isDelayed))
    combineColumn(column, other.values, out, node, isSwapped, operation)
    if (hasAny(out)) columns.push(out)
  }
  return vector(losesName ? mergeEqualLabels(columns, node.origin, true) : columns)
}

function combineColumn(
  column: SeriesColumn,
  scalars: Float64Array,
  out: ColumnWriter,
  node: SeriesBinary,
  isSwapped: boolean,
  operation: BinaryOperation,
): void {
  const { values, kinds } = column
  const combine = floatOps[operation.op]
  const isFilter = isComparison(operation.op) && !node.isBool
  for (let step = 0; step < kinds.length; step++) {
    if (kinds[step] === FLOAT) {
      if (operation.op === '</' || operation.op === '>/') {
        combineMixedFloat(values[step], scalars[step], operation)
        continue
      }
      const result = isSwapped ? combine(scalars[step], values[step]) : combine(values[step], scalars[step])
      if (!isFilter) {
        out.values[step] = result
        out.kinds[step] = FLOAT
      } else if (result === 1) {
        out.values[step] = values[step]
        out.kinds[step] = FLOAT
      }
    } else if (kinds[step] === HISTOGRAM) {
      const histogram = histogramAt(column, step)
      const result = isSwapped
        ? combineMixed(scalars[step], histogram, operation)
        : combineMixed(histogram, scalars[step], operation)
      if (result?.kind === 'histogram') setHistogram(out, step, result.histogram)
      else if (result?.kind === 'truth' && node.isBool) setFloat(out, step, result.isTrue ? 1 : 0)
    }
  }
}

/** Adds the annotation that a trim operator is not defined for two floats. */
function combineMixedFloat(a: number, b: number, operation: BinaryOperation): void {
  combineMixed(a, b, operation)
}
