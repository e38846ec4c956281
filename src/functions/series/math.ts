import {
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  cos,
  cosh,
  exp,
  log,
  log10,
  log2,
  sin,
  sinh,
  tan,
  tanh,
} from '../../data/elementary/index.ts'
import { ColumnBlock, FLOAT, type SeriesColumn } from './columns.ts'
import { greater, lesser } from './float-ops.ts'
import type { SeriesCallContext, SeriesFunction, SeriesValue, VectorValue } from './definition.ts'
import { mergeEqualLabels } from './merge.ts'
import { dropName, scalarArg, vector, vectorArg } from './values.ts'

/** Applies a function of value and step to every float. Drops histograms and metric names. */
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

/** The function `clamp`. Steps whose minimum exceeds the maximum get no value. */
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
  mathFunction('exp', exp),
  mathFunction('sqrt', Math.sqrt),
  mathFunction('ln', log),
  mathFunction('log2', log2),
  mathFunction('log10', log10),
  mathFunction('sgn', (value) => (value < 0 ? -1 : value > 0 ? 1 : value)),
  mathFunction('deg', (value) => (value * 180) / Math.PI),
  mathFunction('rad', (value) => (value * Math.PI) / 180),
  mathFunction('sin', sin),
  mathFunction('cos', cos),
  mathFunction('tan', tan),
  mathFunction('asin', asin),
  mathFunction('acos', acos),
  mathFunction('atan', atan),
  mathFunction('sinh', sinh),
  mathFunction('cosh', cosh),
  mathFunction('tanh', tanh),
  mathFunction('asinh', asinh),
  mathFunction('acosh', acosh),
  mathFunction('atanh', atanh),
  round,
  clamp,
  // The other bound is infinite, so that a NaN stays NaN.
  clampOneSide('clamp_min', (limit, value) => greater(limit, lesser(Infinity, value))),
  clampOneSide('clamp_max', (limit, value) => greater(-Infinity, lesser(limit, value))),
]
