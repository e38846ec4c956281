import { ColumnBlock, FLOAT, type SeriesColumn } from './columns.ts'
import { greater, lesser } from './float-ops.ts'
import type { SeriesCallContext, SeriesFunction, SeriesValue, VectorValue } from './definition.ts'
import { mergeEqualLabels } from './merge.ts'
import { dropName, scalarArg, vector, vectorArg } from './values.ts'

/** Applies a function of value and step to every float; histograms and the name go. */
export function mapFloats(
  input: readonly SeriesColumn[],
  call: SeriesCallContext,
  map: (value: number, step: number) => number,
): VectorValue {
  const stepCount = call.steps.count
  const block = new ColumnBlock(input.length, stepCount, call.budget)
  const series = input.map((column, i) => {
    const { labels, isNameDropped } = dropName(column.labels, call)
    const out = block.column(i, labels, isNameDropped)
    for (let step = 0; step < stepCount; step++) {
      if (column.kinds[step] !== FLOAT) continue
      out.values[step] = map(column.values[step], step)
      out.kinds[step] = FLOAT
    }
    return out
  })
  return vector(mergeEqualLabels(series, call.origin, true))
}

function mathFunction(name: string, map: (value: number) => number): SeriesFunction {
  return { name, keepsLabels: true, evaluate: (args, call) => mapFloats(vectorArg(args, 0).series, call, map) }
}

const DEGREES = 180 / Math.PI

const round: SeriesFunction = {
  name: 'round',
  keepsLabels: true,
  evaluate: (args, call) => {
    const nearest = args.length > 1 ? scalarArg(args, 1) : undefined
    return mapFloats(vectorArg(args, 0).series, call, (value, step) => {
      const inverse = 1 / (nearest === undefined ? 1 : nearest[step])
      return Math.floor(value * inverse + 0.5) / inverse
    })
  },
}

/** `clamp` gives nothing at steps where the bounds contradict each other. */
const clamp: SeriesFunction = {
  name: 'clamp',
  keepsLabels: true,
  evaluate: (args, call) => {
    const low = scalarArg(args, 1)
    const high = scalarArg(args, 2)
    const clamped = mapFloats(vectorArg(args, 0).series, call, (value, step) =>
      greater(low[step], lesser(high[step], value)),
    )
    for (const column of clamped.series) {
      for (let step = 0; step < call.steps.count; step++) if (low[step] > high[step]) column.kinds[step] = 0
    }
    return clamped
  },
}

function clampOneSide(name: string, bound: (value: number, limit: number) => number): SeriesFunction {
  return {
    name,
    keepsLabels: true,
    evaluate: (args: readonly SeriesValue[], call) => {
      const limit = scalarArg(args, 1)
      return mapFloats(vectorArg(args, 0).series, call, (value, step) => bound(limit[step], value))
    },
  }
}

export const mathFunctions: readonly SeriesFunction[] = [
  mathFunction('abs', Math.abs),
  mathFunction('ceil', Math.ceil),
  mathFunction('floor', Math.floor),
  mathFunction('exp', Math.exp),
  mathFunction('sqrt', Math.sqrt),
  mathFunction('ln', Math.log),
  mathFunction('log2', Math.log2),
  mathFunction('log10', Math.log10),
  mathFunction('sgn', (value) => (value < 0 ? -1 : value > 0 ? 1 : value)),
  mathFunction('deg', (value) => value * DEGREES),
  mathFunction('rad', (value) => value / DEGREES),
  mathFunction('sin', Math.sin),
  mathFunction('cos', Math.cos),
  mathFunction('tan', Math.tan),
  mathFunction('asin', Math.asin),
  mathFunction('acos', Math.acos),
  mathFunction('atan', Math.atan),
  mathFunction('sinh', Math.sinh),
  mathFunction('cosh', Math.cosh),
  mathFunction('tanh', Math.tanh),
  mathFunction('asinh', Math.asinh),
  mathFunction('acosh', Math.acosh),
  mathFunction('atanh', Math.atanh),
  round,
  clamp,
  // The other bound is an infinity, and then NaN stays NaN.
  clampOneSide('clamp_min', (limit, value) => greater(limit, lesser(Infinity, value))),
  clampOneSide('clamp_max', (limit, value) => greater(-Infinity, lesser(limit, value))),
]
