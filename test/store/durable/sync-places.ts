/** Returns the lines of source files below `folder` on the call stack, innermost first: `batch-log.ts:12`. */
export function linesOfCall(folder: string): readonly string[] {
  const frames = (new Error().stack ?? '').split('\n').filter((frame) => frame.includes(folder))
  return frames.flatMap((frame) => /\w[\w-]*\.ts:\d+/.exec(frame)?.[0] ?? [])
}

/** The results of a scenario that ran on `CrashFiles`. */
export interface Run {
  /** Source lines of each sync. Syncs with an empty entry are ignored. */
  readonly syncs: readonly string[]
  /** True if some state that a power loss could leave loses or repeats acknowledged data. */
  readonly hasFault: () => boolean | Promise<boolean>
}

/**
 * Runs each scenario once as it is, and then once without each of its syncs: `leftOut` is the index of the omitted
 * sync. `needed` receives the source lines whose sync cannot be omitted without a fault.
 */
export async function placesOfSyncs(scenarios: readonly ((leftOut?: number) => Promise<Run>)[]) {
  const places = new Set<string>()
  const needed = new Set<string>()
  for (const run of scenarios) {
    for (const [leftOut, place] of (await run()).syncs.entries()) {
      if (place === '') continue
      places.add(place)
      if (needed.has(place)) continue
      const { hasFault } = await run(leftOut)
      if (await hasFault()) needed.add(place)
    }
  }
  return { places, needed }
}
