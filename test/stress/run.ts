/** What a stress run gets from its command line. */
export interface StressInput {
  readonly seed: number
  readonly seconds: number
  /** Values of the run's options that take a value, by name without hyphens. */
  readonly values: ReadonlyMap<string, string>
  /** The given options of the run that take no value. */
  readonly flags: ReadonlySet<string>
  readonly print: (line: string) => void
}

/** The export `stress` of each run's `main.ts`. */
export interface StressRun {
  /** The default duration in seconds; `--seconds` overrides it. */
  readonly seconds: number
  /** Options in addition to `--seed` and `--seconds`. */
  readonly options?: Readonly<Record<string, 'value' | 'flag'>>
  /**
   * Runs the check. Resolves with the exit code: 0 if nothing was found, 1 if something was, 2 if nothing could be
   * tried.
   */
  readonly run: (input: StressInput) => Promise<number>
}

/** Wrong options; the message is for the caller of the command. */
export class StressMisuse extends Error {}

/** Whether another round begins after `done` rounds. */
export type Rounds = (done: number) => boolean

export function rounds(count: number): Rounds {
  return (done) => done < count
}

/** Rounds until the time is over, at least one. */
export function roundsFor(seconds: number): Rounds {
  const endMs = performance.now() + seconds * 1000
  let isFirst = true
  return () => {
    const begins = isFirst || performance.now() < endMs
    isFirst = false
    return begins
  }
}
