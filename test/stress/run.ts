/** What a stress run gets from its command line. */
export interface StressInput {
  readonly seed: number
  readonly seconds: number
  /** Values of the options of the run that take one, by name without hyphens. */
  readonly values: ReadonlyMap<string, string>
  /** Options of the run that take no value and were given. */
  readonly flags: ReadonlySet<string>
  readonly print: (line: string) => void
}

/** What `main.ts` in the folder of a run exports as `stress`. */
export interface StressRun {
  /** Seconds that it takes unless `--seconds` is given. */
  readonly seconds: number
  /** Options beside `--seed` and `--seconds`. */
  readonly options?: Readonly<Record<string, 'value' | 'flag'>>
  /** Resolves with the exit code: 0 if nothing was found, 1 if something was, 2 if nothing could be tried. */
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
