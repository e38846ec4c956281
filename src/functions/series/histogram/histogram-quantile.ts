import type { Origin } from '../../../base/index.ts'
import { formatNumber, type Labels } from '../../../data/index.ts'
import { infos, warnings, type LiftedCounts } from '../annotation.ts'
import { groupBuckets, histogramAtStep, type StepHistogram } from './bucket-groups.ts'
import { classicFraction, classicQuantile, type Lifted } from './classic-buckets.ts'
import { hasAny, newColumn, setFloat, type ColumnWriter, type SeriesColumn } from '../columns.ts'
import type { SeriesCallContext, SeriesFunction } from '../definition.ts'
import { failSeries } from '../diagnostics.ts'
import { isLabelName } from '../label-functions.ts'
import { mergeEqualLabels } from '../merge.ts'
import { nativeFraction, nativeQuantile } from './native-quantile.ts'
import { dropName, scalarArg, textArg, vector, vectorArg } from '../values.ts'

function annotateInfo(call: SeriesCallContext, text: string, origin: Origin): void {
  call.annotate({ severity: 'info', text, origin })
}

function checkQuantile(phis: Float64Array, origin: Origin, call: SeriesCallContext): void {
  for (const phi of phis) {
    if (phi >= 0 && phi <= 1) continue
    call.annotate({ severity: 'warning', text: warnings.quantile(phi), origin })
  }
}

/** Collects raised bucket counts by metric, so that each metric gets a single info. */
class LiftedByMetric {
  readonly #byMetric = new Map<string, LiftedCounts>()

  add(metric: string, { minBound, maxBound, maxDifference }: Lifted, timeMs: number): void {
    const known = this.#byMetric.get(metric)
    this.#byMetric.set(metric, {
      minBound: Math.min(known?.minBound ?? Infinity, minBound),
      maxBound: Math.max(known?.maxBound ?? -Infinity, maxBound),
      maxDifference: Math.max(known?.maxDifference ?? 0, maxDifference),
      count: (known?.count ?? 0) + 1,
      firstMs: Math.min(known?.firstMs ?? Infinity, timeMs),
      lastMs: Math.max(known?.lastMs ?? -Infinity, timeMs),
    })
  }

  annotate(call: SeriesCallContext, origin: Origin): void {
    for (const [metric, lifted] of this.#byMetric) annotateInfo(call, infos.forcedMonotonicity(metric, lifted), origin)
  }
}

/** The group and the origin of a quantile, for notes. */
interface QuantileContext {
  readonly labels: Labels
  readonly origin: Origin
  readonly call: SeriesCallContext
  readonly lifted: LiftedByMetric
}

function quantileAt(phi: number, at: StepHistogram, step: number, context: QuantileContext): number {
  const { labels, origin, call, lifted } = context
  if (at.kind === 'native') {
    const { value, nanEffect } = nativeQuantile(phi, at.histogram)
    if (nanEffect !== 'none') {
      const { metricName } = labels
      annotateInfo(call, nanEffect === 'skewed' ? infos.nanSkew(metricName) : infos.nanResult(metricName), origin)
    }
    return value
  }
  if (phi !== phi) return NaN
  if (phi < 0) return -Infinity
  if (phi > 1) return Infinity
  if (at.histogram === undefined) return NaN
  const { value, lifted: liftedHere } = classicQuantile(phi, at.histogram)
  if (liftedHere !== undefined) lifted.add(labels.metricName, liftedHere, call.steps.timesMs[step])
  return value
}

const histogramQuantile: SeriesFunction = {
  name: 'histogram_quantile',
  readsHistograms: 'buckets',
  evaluate: (args, call) => {
    const phis = scalarArg(args, 0)
    checkQuantile(phis, call.argPlans[0].origin, call)
    const { origin } = call.argPlans[1]
    const lifted = new LiftedByMetric()
    const columns: SeriesColumn[] = []
    for (const group of groupBuckets(vectorArg(args, 1).series, origin, call)) {
      const { labels, isNameDropped } = dropName(group.labels, call)
      const context = { labels: group.labels, origin, call, lifted }
      const out = newColumn(labels, isNameDropped, call.steps.count)
      for (let step = 0; step < call.steps.count; step++) {
        const at = histogramAtStep(group, step, origin, call)
        if (at === undefined) continue
        setFloat(out, step, quantileAt(phis[step], at, step, context))
      }
      if (hasAny(out)) columns.push(out)
      call.budget.checkpoint()
    }
    lifted.annotate(call, origin)
    return vector(mergeEqualLabels(columns, call.origin, true))
  },
}

/** Formats φ like Prometheus's text formats, where integers have a decimal: `1.0`. */
function quantileLabel(phi: number): string {
  const text = formatNumber(phi)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

const histogramQuantiles: SeriesFunction = {
  name: 'histogram_quantiles',
  readsHistograms: 'buckets',
  evaluate: (args, call) => {
    const label = textArg(args, 1)
    if (!isLabelName(label)) failSeries('bad-label-name', { name: label, fn: 'histogram_quantiles' }, call.origin)
    const quantiles = args.slice(2).map((_, i) => scalarArg(args, i + 2))
    quantiles.forEach((phis, i) => checkQuantile(phis, call.argPlans[i + 2].origin, call))
    const { origin } = call.argPlans[0]
    const lifted = new LiftedByMetric()
    const columns: SeriesColumn[] = []
    for (const group of groupBuckets(vectorArg(args, 0).series, origin, call)) {
      const { labels, isNameDropped } = dropName(group.labels, call)
      const context = { labels: group.labels, origin, call, lifted }
      for (const phis of quantiles) {
        const byPhi = new Map<string, ColumnWriter>()
        for (let step = 0; step < call.steps.count; step++) {
          const at = histogramAtStep(group, step, origin, call)
          if (at === undefined) continue
          const phi = phis[step]
          const text = quantileLabel(phi)
          let out = byPhi.get(text)
          if (out === undefined) {
            out = newColumn(labels.with(label, text), isNameDropped, call.steps.count)
            byPhi.set(text, out)
          }
          setFloat(out, step, quantileAt(phi, at, step, context))
        }
        columns.push(...byPhi.values())
      }
      call.budget.checkpoint()
    }
    lifted.annotate(call, origin)
    return vector(mergeEqualLabels(columns, call.origin, true))
  },
}

const histogramFraction: SeriesFunction = {
  name: 'histogram_fraction',
  readsHistograms: 'buckets',
  evaluate: (args, call) => {
    const lower = scalarArg(args, 0)
    const upper = scalarArg(args, 1)
    const { origin } = call.argPlans[2]
    const columns: SeriesColumn[] = []
    for (const group of groupBuckets(vectorArg(args, 2).series, origin, call)) {
      const { labels, isNameDropped } = dropName(group.labels, call)
      const name = group.labels.metricName
      const out = newColumn(labels, isNameDropped, call.steps.count)
      for (let step = 0; step < call.steps.count; step++) {
        const at = histogramAtStep(group, step, origin, call)
        if (at === undefined) continue
        if (at.kind === 'native') {
          const { value, hasNaN } = nativeFraction(lower[step], upper[step], at.histogram)
          if (hasNaN) annotateInfo(call, infos.nanFraction(name), origin)
          setFloat(out, step, value)
        } else if (at.histogram === undefined) {
          setFloat(out, step, NaN)
        } else {
          setFloat(out, step, classicFraction(lower[step], upper[step], at.histogram))
        }
      }
      if (hasAny(out)) columns.push(out)
      call.budget.checkpoint()
    }
    return vector(mergeEqualLabels(columns, call.origin, true))
  },
}

export const histogramQuantileFunctions: readonly SeriesFunction[] = [
  histogramQuantile,
  histogramQuantiles,
  histogramFraction,
]
