import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'
import type { Exemplar } from './exemplar.ts'
import { compileMatcher, type LabelsTest } from './match-labels.ts'
import type { SamplesSlice } from './samples-part.ts'
import { withoutResetHint } from './sample-columns.ts'
import { joinedSlices, subslice } from './slices.ts'

/** Selects samples and exemplars, by the labels of their series and by time. */
export interface SampleChoice {
  /** Matchers, all of which a series must pass. */
  readonly matchers: readonly LabelMatcher[]
  /** Start of the time range in milliseconds since 1970, exclusive. */
  readonly startMs: number
  /** End of the time range in milliseconds since 1970, inclusive. */
  readonly endMs: number
}

/** Compiles matchers to a test of label sets. Throws `samples/bad-regex`. */
export function labelsTest(matchers: readonly LabelMatcher[]): LabelsTest {
  const tests = matchers.map((matcher) => ({ label: matcher.label, test: compileMatcher(matcher) }))
  return (labels: Labels) => tests.every(({ label, test }) => test(labels.get(label)))
}

export function isInRange(
  { timeMs }: Pick<Exemplar, 'timeMs'>,
  { startMs, endMs }: Pick<SampleChoice, 'startMs' | 'endMs'>,
): boolean {
  return timeMs > startMs && timeMs <= endMs
}

/** Returns the number of samples without staleness markers. */
export function countOf({ timesMs, staleness }: SamplesSlice): number {
  if (staleness === undefined) return timesMs.length
  return staleness.reduce((count, mark) => count - mark, timesMs.length)
}

/** Returns a slice without its samples in `(startMs, endMs]`; `undefined` if no sample remains. */
export function withoutRange(slice: SamplesSlice, startMs: number, endMs: number): SamplesSlice | undefined {
  const { timesMs } = slice
  const from = timesMs.findIndex((timeMs) => timeMs > startMs)
  if (from === -1) return slice
  const after = timesMs.findIndex((timeMs) => timeMs > endMs)
  const to = after === -1 ? timesMs.length : after
  if (to <= from) return slice
  const left = [subslice(slice, 0, from), subslice(slice, to, timesMs.length)].filter(
    (remainder) => remainder.timesMs.length > 0,
  )
  return left.length === 0 ? undefined : joinedSlices(left)
}

/** Returns a slice in which the histogram at a time has no reset hint, because the sample before it was deleted. */
export function withoutHintAt(slice: SamplesSlice, timeMs: number): SamplesSlice {
  const at = slice.timesMs.indexOf(timeMs)
  const histogram = slice.histograms?.[at]
  if (histogram === undefined) return slice
  return { ...slice, histograms: slice.histograms?.with(at, withoutResetHint(histogram)) }
}
