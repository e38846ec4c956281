/** Input that a stress run gets from its command line. */
export interface StressInput {
  readonly seed: number
  readonly seconds: number
  /** Values of the run's options that take a value, by name without hyphens. */
  readonly values: ReadonlyMap<string, string>
  /** Names of the given options that take no value, without hyphens. */
  readonly flags: ReadonlySet<string>
  readonly print: (line: string) => void
}

/** A stress run; each run's `main.ts` exports one as `stress`. */
export interface StressRun {
  /** Default duration in seconds; `--seconds` overrides it. */
  readonly seconds: number
  /** Options in addition to `--seed` and `--seconds`. */
  readonly options?: Readonly<Record<string, 'value' | 'flag'>>
  /**
   * Runs the check. Resolves with the exit code: 0 if no fault was found, 1 if one was, 2 if nothing could be tested.
   */
  readonly run: (input: StressInput) => Promise<number>
}

/** The command line has invalid options; the message is shown to the user. */
export class StressMisuse extends Error {}

/** True to begin another round after `done` rounds. */
export type Rounds = (done: number) => boolean

export function rounds(count: number): Rounds {
  return (done) => done < count
}

/** Returns a function that allows rounds until the time is over, but at least one. */
export function roundsFor(seconds: number): Rounds {
  const endMs = performance.now() + seconds * 1000
  let isFirst = true
  return () => {
    const begins = isFirst || performance.now() < endMs
    isFirst = false
    return begins
  }
}
