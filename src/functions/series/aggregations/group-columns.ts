import type { Histogram } from '../../../data/index.ts'
import { infos, warnings } from '../annotation.ts'
import { ColumnBlock, FLOAT, HISTOGRAM, hasAny, histogramAt, setHistogram, type ColumnWriter } from '../columns.ts'
import type { AggregationCall, SeriesAggregation, SeriesGroup } from '../definition.ts'
import { histogramAverage, histogramTotal, type HistogramFold } from '../histogram/histogram-fold.ts'
import { vector } from '../values.ts'

/** Defines an aggregation by a function of one group. Groups without a result are dropped. */
export function groupAggregation(
  name: string,
  fill: (group: SeriesGroup, out: ColumnWriter, call: AggregationCall) => void,
  readsPresenceOnly = false,
): SeriesAggregation {
  return {
    name,
    readsPresenceOnly,
    evaluate(groups, call) {
      const block = new ColumnBlock(groups.length, call.steps.count, call.budget)
      const columns: ColumnWriter[] = []
      for (const [i, group] of groups.entries()) {
        call.budget.checkpoint()
        const out = block.column(i, group.labels, group.isNameDropped)
        fill(group, out, call)
        if (hasAny(out)) columns.push(out)
      }
      return vector(columns)
    },
  }
}

export function isWithoutHistograms(group: SeriesGroup): boolean {
  return group.members.every((member) => member.histograms === undefined)
}

/** Adds one info if histograms of a group were skipped. */
export function mentionIgnored(group: SeriesGroup, name: string, call: AggregationCall): void {
  if (isWithoutHistograms(group)) return
  call.annotate({ severity: 'info', text: infos.ignoredInAggregation(name), origin: call.inputOrigin })
}

/** Handles steps with histograms: combines the histograms, or warns if the step has floats too. */
export function foldHistograms(
  group: SeriesGroup,
  out: ColumnWriter,
  call: AggregationCall,
  fold: typeof histogramTotal | typeof histogramAverage,
): void {
  if (isWithoutHistograms(group)) return
  for (let step = 0; step < out.kinds.length; step++) {
    const histograms: Histogram[] = []
    for (const member of group.members) {
      if (member.kinds[step] === HISTOGRAM) histograms.push(histogramAt(member, step))
    }
    if (histograms.length === 0) continue
    if (out.kinds[step] === FLOAT) {
      out.kinds[step] = 0
      warn(call, warnings.mixedAggregation())
      continue
    }
    const result = fold(histograms)
    if (result === undefined) warn(call, warnings.mixedSchemasAggregation())
    else setFold(out, step, result, call)
  }
}

function setFold(out: ColumnWriter, step: number, result: HistogramFold, call: AggregationCall): void {
  if (result.hasResetCollision) warn(call, warnings.resetCollision('aggregation'))
  if (result.hasReconciledBounds) {
    call.annotate({ severity: 'info', text: infos.reconciledBounds('aggregation'), origin: call.inputOrigin })
  }
  setHistogram(out, step, result.histogram)
}

function warn(call: AggregationCall, text: string): void {
  call.annotate({ severity: 'warning', text, origin: call.inputOrigin })
}
