import { mergedSlices, type SamplesPart, type SamplesSlice } from '../samples/index.ts'

/** Number of consecutive files that are merged into one. */
export const MERGE_FILES = 4
/** Files with fewer samples have level 0. Each further level begins at four times as many samples. */
const LEVEL_SAMPLES = 262_144

function levelOf(samples: number, levels: number): number {
  let level = 0
  for (let limit = LEVEL_SAMPLES; level < levels && samples >= limit; limit *= 4) level++
  return level
}

/**
 * Returns the first files, in order, that should be merged into one; an empty array if there are none. `samplesOf`
 * returns `undefined` for a file that must stay as it is. Files of level `levels` are not merged.
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

/**
 * Merges all samples of parts of one series. Parts must be in order of arrival: among samples at the same time, the one
 * in the last part is used. Returns `undefined` if there are no samples.
 */
export function mergedParts(parts: readonly SamplesPart[]): SamplesSlice | undefined {
  const slices = parts.flatMap((part) => part.slice(-Infinity, Infinity) ?? [])
  return slices.length === 0 ? undefined : mergedSlices(slices)
}
