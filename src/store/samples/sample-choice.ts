import type { Labels } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'
import type { Exemplar } from './exemplar.ts'
import { compileMatcher, type LabelsTest } from './match-labels.ts'
import type { SamplesSlice } from './samples-part.ts'
import { withoutResetHint } from './sample-columns.ts'
import { joinedSlices, pieceOf } from './slices.ts'

/** Samples and exemplars by the labels of their series and a range of times. */
export interface SampleChoice {
  /** All of them must pass. */
  readonly matchers: readonly LabelMatcher[]
  /** Unix milliseconds, exclusive. */
  readonly startMs: number
  /** Inclusive. */
  readonly endMs: number
}

/** A test of label sets. Throws `samples/bad-regex`. */
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

/** How many samples there are; markers of staleness are none. */
export function countOf({ timesMs, staleness }: SamplesSlice): number {
  if (staleness === undefined) return timesMs.length
  return staleness.reduce((count, mark) => count - mark, timesMs.length)
}

/** A run of samples without those in `(startMs, endMs]`; `undefined` where none is left. */
export function withoutRange(slice: SamplesSlice, startMs: number, endMs: number): SamplesSlice | undefined {
  const { timesMs } = slice
  const from = timesMs.findIndex((timeMs) => timeMs > startMs)
  if (from === -1) return slice
  const after = timesMs.findIndex((timeMs) => timeMs > endMs)
  const to = after === -1 ? timesMs.length : after
  if (to <= from) return slice
  const left = [pieceOf(slice, 0, from), pieceOf(slice, to, timesMs.length)].filter((piece) => piece.timesMs.length > 0)
  return left.length === 0 ? undefined : joinedSlices(left)
}

/** As a run is without knowing whether the histogram at a time follows a reset: the sample before it is gone. */
export function withoutHintAt(slice: SamplesSlice, timeMs: number): SamplesSlice {
  const at = slice.timesMs.indexOf(timeMs)
  const histogram = slice.histograms?.[at]
  if (histogram === undefined) return slice
  return { ...slice, histograms: slice.histograms?.with(at, withoutResetHint(histogram)) }
}
