import type { Regex } from '../base/index.ts'
import type { Subject } from './subject.ts'

const CASES_PER_DATASET = 100

export interface SeedOptions {
  readonly runs: number
  /** Cases are `seed` to `seed + runs - 1`; the same seeds give the same cases. */
  readonly seed: number
  /** Stop after so many failures. */
  readonly maxFailures: number
  readonly signal?: AbortSignal
  /** Leave out the cases whose query, as it is shown, does not match. */
  readonly only?: Pick<Regex, 'test'> | undefined
  readonly progress?: (cases: number) => void
}

/** What the cases of a run have shown. */
export interface SeedReport<Failure> {
  cases: number
  emptyAnswers: number
  refused: number
  /** Codes of the refusals. */
  readonly refusals: Map<string, number>
  readonly failures: Failure[]
  /** Cases in which a feature stood. */
  readonly uses: Map<string, number>
  /** Distinct optimized plans. */
  readonly plans: Set<string>
}

/** Runs the cases of all seeds, those of one block of seeds over the same rows. */
export async function runSeeds<Failure>(
  options: SeedOptions,
  subjectOf: (block: number) => Promise<Subject>,
  runCase: (report: SeedReport<Failure>, subject: Subject, seed: number) => Promise<void>,
): Promise<SeedReport<Failure>> {
  const report: SeedReport<Failure> = {
    cases: 0,
    emptyAnswers: 0,
    refused: 0,
    refusals: new Map(),
    failures: [],
    uses: new Map(),
    plans: new Set(),
  }
  const end = options.seed + options.runs
  for (let seed = options.seed; seed < end;) {
    const block = Math.floor(seed / CASES_PER_DATASET)
    const subject = await subjectOf(block)
    try {
      for (; seed < end && Math.floor(seed / CASES_PER_DATASET) === block; seed++) {
        await runCase(report, subject, seed)
        if (report.failures.length >= options.maxFailures || options.signal?.aborted === true) return report
      }
    } finally {
      await subject.close()
    }
    options.progress?.(report.cases)
  }
  return report
}
