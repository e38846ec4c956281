import { mergedSlices, type SamplesPart, type SamplesSlice } from '../samples/index.ts'

/** Files that follow each other and are of no higher level become one. */
export const MERGE_FILES = 4
/** A file of a level has four times as many samples as one below. */
const LEVEL_SAMPLES = 262_144

function levelOf(samples: number, levels: number): number {
  let level = 0
  for (let limit = LEVEL_SAMPLES; level < levels && samples >= limit; limit *= 4) level++
  return level
}

/**
 * The first files, by order, that are to become one; none where that pays nothing. `samplesOf` gives `undefined` of one that is to
 * stay as it is. Files of as many levels are left.
 */
export function mergeable<F>(
  files: readonly F[],
  samplesOf: (file: F) => number | undefined,
  levels: number,
): readonly F[] {
  for (let level = 0; level < levels; level++) {
    let run: F[] = []
    for (const file of files) {
      const samples = samplesOf(file)
      if (samples === undefined || levelOf(samples, levels) > level) run = []
      else run.push(file)
      if (run.length === MERGE_FILES) return run
    }
  }
  return []
}

/** All samples of parts of one series, those that came first before others. */
export function mergedParts(parts: readonly SamplesPart[]): SamplesSlice | undefined {
  const slices = parts.flatMap((part) => part.slice(-Infinity, Infinity) ?? [])
  return slices.length === 0 ? undefined : mergedSlices(slices)
}
