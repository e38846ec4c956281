import type { Origin } from '../../../base/index.ts'
import type { Histogram, Labels } from '../../../data/index.ts'
import { warnings } from '../annotation.ts'
import { StepBuckets, type ClassicHistogram } from './classic-buckets.ts'
import { FLOAT, HISTOGRAM, histogramAt, type SeriesColumn } from '../columns.ts'
import type { SeriesCallContext } from '../definition.ts'

const BUCKET_LABEL = 'le'

/** Parses a bucket bound; `undefined` if the string is not a number. */
export function parseBound(text: string): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^[+-]?nan$/i.test(text)) return NaN
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}

interface GroupBucket {
  readonly bound: number
  readonly column: SeriesColumn
}

/** The series of one histogram: its classic buckets by ascending bound, and its native series. */
export interface BucketGroup {
  /** Labels without the bucket label. */
  readonly labels: Labels
  readonly buckets: readonly GroupBucket[]
  /** Buckets of the current step. */
  readonly atStep: StepBuckets
  readonly native: SeriesColumn | undefined
}

interface OpenGroup {
  readonly labels: Labels
  readonly buckets: GroupBucket[]
  native: SeriesColumn | undefined
}

/**
 * Groups series into histograms; series of one histogram have equal labels except for the bucket label. Warns of series
 * without a valid bound.
 */
export function groupBuckets(
  series: readonly SeriesColumn[],
  origin: Origin,
  call: SeriesCallContext,
): readonly BucketGroup[] {
  const groups = new Map<string, OpenGroup>()
  for (const column of series) {
    const hasFloats = column.kinds.includes(FLOAT)
    const hasHistograms = column.histograms !== undefined
    const text = column.labels.get(BUCKET_LABEL)
    const bound = parseBound(text)
    if (hasFloats && bound === undefined) {
      const warning = warnings.bucketLabel(text, column.labels.metricName)
      call.annotate({ severity: 'warning', text: warning, origin })
      if (!hasHistograms) continue
    }
    const labels = column.labels.without([BUCKET_LABEL])
    let group = groups.get(labels.key)
    if (group === undefined) {
      group = { labels, buckets: [], native: undefined }
      groups.set(labels.key, group)
    }
    if (hasFloats && bound !== undefined) group.buckets.push({ bound, column })
    if (hasHistograms) group.native = column
  }
  return Array.from(groups.values(), ({ labels, buckets, native }) => ({
    labels,
    buckets: buckets.sort((a, b) => a.bound - b.bound),
    atStep: new StepBuckets(buckets.length),
    native,
  }))
}

/** The value of a group at one step. */
export type StepHistogram =
  | { readonly kind: 'classic'; readonly histogram: ClassicHistogram | undefined }
  | { readonly kind: 'native'; readonly histogram: Histogram }

/**
 * Returns the histogram of a group at a step; valid until the next call for the group. `undefined` if there is none, or
 * if there are both a classic and a native one, which adds a warning.
 */
export function histogramAtStep(
  group: BucketGroup,
  step: number,
  origin: Origin,
  call: SeriesCallContext,
): StepHistogram | undefined {
  const { native, atStep } = group
  atStep.clear()
  for (const { bound, column } of group.buckets) {
    if (column.kinds[step] === FLOAT) atStep.add(bound, column.values[step])
  }
  const isNative = native !== undefined && native.kinds[step] === HISTOGRAM
  if (isNative && atStep.size > 0) {
    const warning = warnings.classicAndNative(group.labels.metricName)
    call.annotate({ severity: 'warning', text: warning, origin })
    return undefined
  }
  if (isNative) return { kind: 'native', histogram: histogramAt(native, step) }
  return atStep.size === 0 ? undefined : { kind: 'classic', histogram: atStep.histogram }
}
