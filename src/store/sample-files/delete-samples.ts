import type { StepwiseTask } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import {
  countOf,
  isInRange,
  labelsTest,
  mergedSlices,
  withoutHintAt,
  withoutRange,
  type LabelsTest,
  type SampleChoice,
  type SamplesPart,
  type SamplesSlice,
} from '../samples/index.ts'
import type { SampleFile } from './sample-file.ts'
import type { SamplesToWrite } from './write-samples.ts'

/** A sample file with the label set of each of its series. */
export interface LabelledFile {
  readonly labels: readonly Labels[]
  readonly file: SampleFile
}

/** The changes that a deletion makes to one file. */
export interface FileChange {
  /** The indexes of series that lose samples. */
  readonly losing: Set<number>
  /**
   * For each series index, the time of the first histogram after a deleted sample whose reset hint is `not-reset`. The
   * hint becomes unknown.
   */
  readonly behind: Map<number, number>
}

interface Found<F extends LabelledFile> {
  readonly source: F
  readonly index: number
  readonly part: SamplesPart
}

/**
 * Finds what a deletion removes from files, and counts the deleted samples. A sample at the same time in several files
 * counts once. `sources` must be in ascending order. Throws SluiceError `durable/damaged`.
 */
export function* findChosen<F extends LabelledFile>(
  sources: readonly F[],
  choice: SampleChoice,
): StepwiseTask<{ readonly count: number; readonly changes: ReadonlyMap<F, FileChange> }> {
  const { startMs, endMs, matchers } = choice
  const isChosen = labelsTest(matchers)
  const changes = new Map<F, FileChange>()
  const changeOf = (source: F): FileChange => {
    const known = changes.get(source) ?? { losing: new Set(), behind: new Map() }
    changes.set(source, known)
    return known
  }
  const series = new Map<string, Found<F>[]>()
  for (const source of sources) {
    if (hasChosenExemplar(source, isChosen, choice)) changeOf(source)
    for (const [index, labels] of source.labels.entries()) {
      const part = isChosen(labels) ? source.file.part(index) : undefined
      if (part === undefined) continue
      const known = series.get(labels.key)
      if (known === undefined) series.set(labels.key, [{ source, index, part }])
      else known.push({ source, index, part })
    }
    yield
  }
  let count = 0
  for (const found of series.values()) {
    const slices = found.flatMap(({ source, index, part }) => {
      const slice = part.slice(startMs, endMs, true)
      if (slice === undefined) return []
      changeOf(source).losing.add(index)
      return slice
    })
    if (slices.length > 0) {
      count += countOf(mergedSlices(slices))
      for (const { source, index, timeMs } of behind(found, endMs)) changeOf(source).behind.set(index, timeMs)
    }
    yield
  }
  return { count, changes }
}

function hasChosenExemplar({ file }: LabelledFile, isChosen: LabelsTest, choice: SampleChoice): boolean {
  if (file.exemplarCount === 0) return false
  return file
    .exemplars()
    .some(({ labels, exemplars }) => isChosen(labels) && exemplars.some((own) => isInRange(own, choice)))
}

/**
 * Returns the files in which the first sample of a series after `endMs` is a histogram with the hint `not-reset`, with
 * its time.
 */
function behind<F extends LabelledFile>(
  found: readonly Found<F>[],
  endMs: number,
): readonly (Found<F> & { readonly timeMs: number })[] {
  const later = found.filter(({ part }) => part.lastMs > endMs)
  const nextMs = later.reduce((first, { part }) => {
    const own = part.firstMs > endMs ? part.firstMs : part.slice(endMs, part.lastMs, true)?.timesMs[0]
    return Math.min(first, own ?? Infinity)
  }, Infinity)
  return later
    .filter(({ part }) => part.slice(endMs, nextMs)?.histograms?.[0]?.hint === 'not-reset')
    .map((each) => ({ ...each, timeMs: nextMs }))
}

/** Returns the content that a file has after a deletion. */
export function contentWithout(source: LabelledFile, choice: SampleChoice, change: FileChange): SamplesToWrite {
  const isChosen = labelsTest(choice.matchers)
  const isLeft = (labels: Labels) => (own: { readonly timeMs: number }) => !isChosen(labels) || !isInRange(own, choice)
  return {
    series: seriesWithout(source, choice, change),
    descriptions: source.file.descriptions(),
    exemplars: source.file
      .exemplars()
      .map(({ labels, exemplars }) => ({
        labels,
        exemplars: exemplars.filter(isLeft(labels)),
      }))
      .filter(({ exemplars }) => exemplars.length > 0),
  }
}

/** Yields the series that a file has after a deletion, with their indexes in the file. */
export function* seriesWithout(
  { labels: all, file }: LabelledFile,
  { startMs, endMs }: SampleChoice,
  { losing, behind }: FileChange,
): Generator<{ readonly index: number; readonly labels: Labels; readonly samples: SamplesSlice }> {
  for (const [index, labels] of all.entries()) {
    const whole = file.part(index)?.slice(-Infinity, Infinity)
    const left = whole !== undefined && losing.has(index) ? withoutRange(whole, startMs, endMs) : whole
    if (left === undefined) continue
    const timeMs = behind.get(index)
    yield { index, labels, samples: timeMs === undefined ? left : withoutHintAt(left, timeMs) }
  }
}
