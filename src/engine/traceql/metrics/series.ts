import type { Operand } from '../values.ts'
import { keyOf } from '../values.ts'

/** A label with its typed value. Answers show `undefined` as nil. */
export interface SeriesLabel {
  readonly name: string
  readonly value: Operand | undefined
}

/** The values of one label set, one for each sample time. NaN means that there is no sample. */
export interface TraceSeries {
  readonly labels: readonly SeriesLabel[]
  readonly values: Float64Array
}

/** Name of the label that holds the metric name, for a metric without group keys. */
export const NAME = '__name__'

export function seriesKey(labels: readonly SeriesLabel[]): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, keyOf(value)]))
}

/** Times of the samples of a query, ns since 1970. */
export interface SampleTimes {
  readonly startNs: bigint
  readonly endNs: bigint
  /** Time between samples, ns; `undefined` means a single sample for the whole range. */
  readonly stepNs: bigint | undefined
}

/** Rounds the start down and the end up to multiples of the step. */
export function alignedTimes({ startNs, endNs, stepNs }: SampleTimes): SampleTimes {
  if (stepNs === undefined) return { startNs, endNs, stepNs }
  const ceiling = (endNs + stepNs - 1n) / stepNs
  return { startNs: (startNs / stepNs) * stepNs, endNs: ceiling * stepNs, stepNs }
}

export function sampleCount({ startNs, endNs, stepNs }: SampleTimes): number {
  return stepNs === undefined ? 1 : Number((endNs - startNs) / stepNs) + 1
}

/**
 * Returns the index of the sample to which a span belongs: the first sample at or after the span's start; -1 outside
 * the range.
 */
export function sampleOf({ startNs, endNs, stepNs }: SampleTimes, spanNs: bigint): number {
  if (spanNs < startNs || spanNs > endNs) return -1
  return stepNs === undefined ? 0 : Number((spanNs - startNs + stepNs - 1n) / stepNs)
}
