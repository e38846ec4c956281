import { infos } from '../annotation.ts'
import type { WindowSeries } from '../definition.ts'
import { annotateInfo, type RangeCall } from '../range-function.ts'

const COUNTER_SUFFIXES = ['_total', '_sum', '_count', '_bucket']

/** Adds an info if the series of a rate contains floats and has a name that is unusual for a counter. */
export function checkIsCounter(series: WindowSeries, call: RangeCall): void {
  const name = series.labels.metricName
  if (name === '') return
  if (call.flags.hasTypeAndUnitLabels) {
    const type = series.labels.get('__type__')
    if (type !== 'counter' && type !== 'histogram') annotateInfo(call, infos.maybeNotCounterType(name))
  } else if (!COUNTER_SUFFIXES.some((suffix) => name.endsWith(suffix))) {
    annotateInfo(call, infos.maybeNotCounter(name))
  }
}
