import { isResetBetween, type Histogram } from '../../../data/index.ts'
import type { SeriesFlags, WindowSeries } from '../definition.ts'

const GAUGE_TYPES = new Set(['gauge', 'gaugehistogram'])

/**
 * True if a decrease in a series of histograms means a counter reset. As in Prometheus, the hint `gauge` of a sample is
 * ignored, but a series of type gauge has no resets.
 */
export function canReset({ labels }: Pick<WindowSeries, 'labels'>, flags: SeriesFlags): boolean {
  return !(flags.hasTypeAndUnitLabels && GAUGE_TYPES.has(labels.get('__type__')))
}

/** True if a counter was reset between two histograms of a series. */
export function isHistogramReset(
  series: Pick<WindowSeries, 'labels'>,
  previous: Histogram,
  current: Histogram,
  flags: SeriesFlags,
): boolean {
  return canReset(series, flags) && isResetBetween(previous, current)
}
