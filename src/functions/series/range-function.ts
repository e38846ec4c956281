import { at, work, type Origin } from '../../base/index.ts'
import type { Histogram } from '../../data/index.ts'
import type { SeriesPlan } from '../../plan/series/index.ts'
import { infos, warnings } from './annotation.ts'
import { ColumnBlock, hasAny, setHistogram, type ColumnWriter } from './columns.ts'
import type {
  MatrixValue,
  SeriesBySeries,
  SeriesCallContext,
  SeriesFunction,
  SeriesProperties,
  SeriesValue,
  WindowSeries,
} from './definition.ts'
import { failSeries } from './diagnostics.ts'
import { mergeEqualLabels } from './merge.ts'
import { dropName, vector } from './values.ts'
import { splitByType } from './windows.ts'

/** A call of a function over a range vector. */
export interface RangeCall extends SeriesCallContext {
  readonly args: readonly SeriesValue[]
  readonly matrix: MatrixValue
  /** Origin of the range vector in the query, for notes. */
  readonly matrixOrigin: Origin
}

/** Fills an output series from the windows of an input series. */
export type RangeKernel = (series: WindowSeries, out: ColumnWriter, call: RangeCall) => void

export interface RangeFunctionOptions {
  /** True for `last_over_time` and `first_over_time`, which keep the metric name. */
  readonly keepsName?: boolean
  /** Extensions of window ends that the function supports. */
  readonly extensions?: readonly ('anchored' | 'smoothed')[]
  readonly properties?: Omit<SeriesProperties, 'name'>
}

const EXTENDABLE = { anchored: 'changes, delta, increase, rate, resets', smoothed: 'delta, increase, rate' } as const

const START_OF_TEXT = at({ start: 0, end: 0 })

/** Returns the origin for notes on a plan. As in Prometheus, notes on a subquery refer to the start of the text. */
export function noteOrigin({ kind, origin }: SeriesPlan): Origin {
  return kind === 'series-subquery' && origin.kind === 'text' ? START_OF_TEXT : origin
}

/** Defines a function over a range vector by a kernel for one series. */
export function rangeFunction(name: string, kernel: RangeKernel, options: RangeFunctionOptions = {}): SeriesFunction {
  const callOf = (args: readonly SeriesValue[], context: SeriesCallContext): RangeCall => {
    const index = args.findIndex((arg) => arg.kind === 'matrix')
    const matrix = args[index] as MatrixValue
    const { extension } = matrix
    if (extension !== 'none' && options.extensions?.includes(extension) !== true) {
      const allowed = EXTENDABLE[extension]
      failSeries('extension-not-allowed', { extension, allowed, fn: name }, context.origin)
    }
    return { ...context, args, matrix, matrixOrigin: noteOrigin(context.argPlans[index]) }
  }
  const bySeries = (args: readonly SeriesValue[], context: SeriesCallContext): SeriesBySeries => {
    const call = callOf(args, context)
    const columnOf = (index: number, block: ColumnBlock): ColumnWriter => {
      const series = call.matrix.series[index]
      const { labels, isNameDropped } = options.keepsName === true ? series : dropName(series.labels, context)
      return block.column(index, labels, isNameDropped)
    }
    return {
      columnOf,
      fill: (index, block, annotate) => {
        const out = columnOf(index, block)
        kernel(call.matrix.series[index], out, annotate === undefined ? call : { ...call, annotate })
        return out
      },
      together: (columns) => vector(mergeEqualLabels(columns.filter(hasAny), context.origin, true)),
    }
  }
  return {
    name,
    keepsLabels: true,
    ...options.properties,
    bySeries,
    evaluate: (args, context) => {
      const { fill, together } = bySeries(args, context)
      const { series } = args.find((arg) => arg.kind === 'matrix') as MatrixValue
      const block = new ColumnBlock(series.length, context.steps.count, context.budget)
      return together(
        series.map((_, i) => {
          if ((i & 15) === 15) context.budget.checkpoint()
          return fill(i, block)
        }),
      )
    },
  }
}

/** Computes the value of one window of floats, `[from, to)`, which is not empty. */
export type WindowReducer = (from: number, to: number, step: number) => number

/** Returns a reducer for one series. The reducer may keep state between steps, because windows only move forward. */
export type FloatReducer = (series: WindowSeries, call: RangeCall) => WindowReducer

function runFloats(series: WindowSeries, out: ColumnWriter, reduce: WindowReducer, minSamples: number): void {
  const { from, to } = series
  const { values, kinds } = out
  for (let step = 0; step < kinds.length; step++) {
    const first = from[step]
    const end = to[step]
    work(1)
    if (end - first < minSamples) continue
    values[step] = reduce(first, end, step)
    kinds[step] = 1
  }
}

/** Returns a kernel for windows with at least `minSamples` floats. Histograms are skipped with an info. */
export function floatKernel(reducer: FloatReducer, minSamples: number): RangeKernel {
  return (series, out, call) => {
    if (series.histograms === undefined) {
      runFloats(series, out, reducer(series, call), minSamples)
      return
    }
    const { floats, histograms } = splitByType(series)
    for (let step = 0; step < out.kinds.length; step++) {
      if (floats.to[step] > floats.from[step] && histograms.to[step] > histograms.from[step]) {
        annotateInfo(call, infos.ignoredInRange(series.labels.metricName))
        break
      }
    }
    runFloats(floats, out, reducer(floats, call), minSamples)
  }
}

/** Defines a function of the floats in each window; see `floatKernel`. */
export function floatRangeFunction(
  name: string,
  reducer: FloatReducer,
  minSamples = 1,
  properties: RangeFunctionOptions['properties'] = {},
): SeriesFunction {
  return rangeFunction(name, floatKernel(reducer, minSamples), { properties })
}

/**
 * Defines a function of windows that contain only floats or only histograms. A window with both gives no value and a
 * warning.
 */
export function typedRangeFunction(
  name: string,
  reducer: FloatReducer,
  histogramReducer: (
    series: WindowSeries,
    call: RangeCall,
  ) => (from: number, to: number, step: number) => Histogram | undefined,
): SeriesFunction {
  return rangeFunction(name, (series, out, call) => {
    if (series.histograms === undefined) {
      runFloats(series, out, reducer(series, call), 1)
      return
    }
    const { floats, histograms } = splitByType(series)
    const reduceFloats = reducer(floats, call)
    const reduceHistograms = histogramReducer(histograms, call)
    for (let step = 0; step < out.kinds.length; step++) {
      const hasFloats = floats.to[step] > floats.from[step]
      if (histograms.to[step] === histograms.from[step]) {
        if (!hasFloats) continue
        out.values[step] = reduceFloats(floats.from[step], floats.to[step], step)
        out.kinds[step] = 1
      } else if (hasFloats) {
        annotateWarning(call, warnings.mixedRange(series.labels.metricName))
      } else {
        const histogram = reduceHistograms(histograms.from[step], histograms.to[step], step)
        if (histogram !== undefined) setHistogram(out, step, histogram)
      }
    }
  })
}

export function annotateInfo(call: RangeCall, text: string): void {
  call.annotate({ severity: 'info', text, origin: call.matrixOrigin })
}

export function annotateWarning(call: RangeCall, text: string): void {
  call.annotate({ severity: 'warning', text, origin: call.matrixOrigin })
}
